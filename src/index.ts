import diagnostics from './plugins/diagnostics';
import free from './plugins/free';
import kernels from './plugins/kernels';
import oom from './plugins/oom';
import panel from './plugins/panel';
import plugin from './plugins/plugin';
import status from './plugins/status';
import timeline from './plugins/timeline';

export default [
  plugin,
  panel,
  free,
  kernels,
  oom,
  status,
  diagnostics,
  timeline
];
