import free from './plugins/free';
import panel from './plugins/panel';
import plugin from './plugins/plugin';
import status from './plugins/status';

export default [plugin, panel, free, status];
