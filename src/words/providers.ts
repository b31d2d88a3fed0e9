import type { TranslationBundle } from '@jupyterlab/translation';
import type { Provider, ProviderState } from '../wire/schema';
import { hintWords } from './hints';
import type { INotice } from './notice';

/**
 * Explain why a source gives no figures; null when it does, or when it is meant not to.
 */
export function providerNotice(
  provider: Provider,
  trans: TranslationBundle
): INotice | null {
  const title = titleOf(provider, trans);
  if (title === null) {
    return null;
  }
  return { title, remedy: remedyOf(provider, trans), detail: provider.detail };
}

/**
 * Whether the state is worth a word although another source shows a GPU.
 */
export function isFault(state: ProviderState): boolean {
  switch (state) {
    case 'version_mismatch':
    case 'no_permission':
    case 'old_binding':
    case 'hung':
    case 'error':
      return true;
    case 'starting':
    case 'ok':
    case 'no_library':
    case 'no_driver':
    case 'no_devices':
    case 'asleep':
    case 'off':
      return false;
  }
}

function titleOf(provider: Provider, trans: TranslationBundle): string | null {
  switch (provider.state) {
    case 'ok':
    case 'off':
      return null;
    case 'starting':
      return trans.__('Looking for GPUs…');
    case 'no_library':
      return trans.__('No NVIDIA driver library found');
    case 'no_driver':
      return trans.__('The NVIDIA driver is not loaded');
    case 'version_mismatch':
      return trans.__('The NVIDIA driver was upgraded while it was in use');
    case 'no_permission':
      return trans.__('The driver does not let this server read the GPUs');
    case 'no_devices':
      return trans.__('The driver works, but there is no GPU');
    case 'old_binding':
      return trans.__('An outdated NVIDIA Python module is in the way');
    case 'hung':
      return trans.__('The GPU driver does not answer');
    case 'error':
      return trans.__('The GPU driver reports an error');
    case 'asleep':
      return trans.__('The GPU is asleep and is not woken to be read');
  }
}

/**
 * What helps in a state, for a server that names nothing better.
 */
function usualHint(state: ProviderState): string | null {
  switch (state) {
    case 'ok':
    case 'off':
    case 'starting':
    case 'no_devices':
      return null;
    case 'no_library':
      return 'install_driver';
    case 'no_driver':
      return 'load_driver';
    case 'asleep':
      return 'gpu_asleep';
    case 'version_mismatch':
      return 'restart_server_after_driver_upgrade';
    case 'no_permission':
      return 'permission';
    case 'old_binding':
      return 'old_binding';
    case 'hung':
      return 'driver_hangs';
    case 'error':
      return 'check_driver';
  }
}

function remedyOf(provider: Provider, trans: TranslationBundle): string {
  if (provider.state === 'starting') {
    return '';
  }
  if (provider.state === 'no_devices') {
    return trans.__(
      'In a container, pass the GPU in (--gpus all). On a cluster, ask for a GPU in your job.'
    );
  }
  for (const hint of [provider.hint, usualHint(provider.state)]) {
    const words = hint === null ? null : hintWords(hint, trans);
    if (words !== null) {
      return words;
    }
  }
  return trans.__('See the log of Jupyter Server.');
}
