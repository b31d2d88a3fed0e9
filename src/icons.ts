import { LabIcon } from '@jupyterlab/ui-components';
import gaugeSvg from '../style/icons/gauge.svg';
import resetSvg from '../style/icons/reset.svg';

/**
 * A chip, half full: the panel.
 */
export const gaugeIcon = new LabIcon({
  name: 'jupyterlab-gpumem:gauge',
  svgstr: gaugeSvg
});

/**
 * A chip that is being emptied: reset and free.
 */
export const resetIcon = new LabIcon({
  name: 'jupyterlab-gpumem:reset',
  svgstr: resetSvg
});
