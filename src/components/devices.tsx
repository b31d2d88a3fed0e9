import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { FigureHistory } from '../history';
import type { Device, Snapshot } from '../wire/schema';
import { DeviceCard } from './device-card';

/** From this many on, cards that do not matter to the current kernel begin folded. */
const MANY = 3;

interface IProps {
  snapshot: Snapshot;
  currentId: string | null;
  history: Pick<FigureHistory, 'device' | 'cells'>;
  trans: TranslationBundle;
}

/**
 * All devices in the server's order, the parts of a GPU below it.
 */
export function Devices(props: IProps): React.ReactElement {
  const { snapshot, currentId, history, trans } = props;
  const devices = inFamilies(snapshot.devices);
  return (
    <>
      {devices.map(device => (
        <DeviceCard
          key={device.key}
          device={device}
          kernels={snapshot.kernels}
          currentId={currentId}
          points={history.device(device.key)}
          cells={history.cells(currentId ?? '')}
          isFoldable={devices.length >= MANY}
          trans={trans}
        />
      ))}
    </>
  );
}

/**
 * Each parent followed by its parts; a part whose parent is not shown stands for itself.
 */
export function inFamilies(devices: readonly Device[]): readonly Device[] {
  const keys = new Set(devices.map(device => device.key));
  const heads = devices.filter(
    device => device.parent_key === null || !keys.has(device.parent_key)
  );
  return heads.flatMap(head => [
    head,
    ...devices.filter(device => device.parent_key === head.key)
  ]);
}
