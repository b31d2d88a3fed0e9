import type { TranslationBundle } from '@jupyterlab/translation';
import type { Provider, ProviderState } from '../wire/schema';
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
  const remedy =
    provider.hint === null
      ? usualRemedy(provider.state, trans)
      : hintRemedy(provider, trans);
  return { title, remedy, detail: provider.detail };
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

function usualRemedy(state: ProviderState, trans: TranslationBundle): string {
  switch (state) {
    case 'ok':
    case 'off':
    case 'starting':
      return '';
    case 'no_library':
      return trans.__(
        'If this computer has an NVIDIA GPU, install its driver. In a container, start it with --gpus all and the "utility" capability.'
      );
    case 'no_driver':
      return trans.__(
        'Load the driver (run nvidia-smi to see what it says), or restart the computer after installing it. This page finds it by itself.'
      );
    case 'no_devices':
      return trans.__(
        'In a container, pass the GPU in (--gpus all). On a cluster, ask for a GPU in your job.'
      );
    case 'asleep':
      return trans.__('Figures come as soon as a program uses it.');
    case 'version_mismatch':
    case 'no_permission':
    case 'old_binding':
    case 'hung':
    case 'error':
      return faultRemedy(state, trans);
  }
}

function faultRemedy(
  state:
    'version_mismatch' | 'no_permission' | 'old_binding' | 'hung' | 'error',
  trans: TranslationBundle
): string {
  switch (state) {
    case 'version_mismatch':
      return trans.__(
        'Restart the computer, or reload the driver, and then restart Jupyter Server.'
      );
    case 'no_permission':
      return trans.__(
        'Ask the administrator for access to /dev/nvidia* for the user that runs Jupyter Server.'
      );
    case 'old_binding':
      return trans.__(
        'Uninstall "pynvml" and "nvidia-ml-py3" from the environment of Jupyter Server, install "nvidia-ml-py", and restart the server.'
      );
    case 'hung':
      return trans.__(
        'It is asked again by itself. If nvidia-smi hangs too, the computer has to be restarted.'
      );
    case 'error':
      return trans.__(
        'It is asked again by itself. Run nvidia-smi on the computer to see whether the driver works.'
      );
  }
}

function hintRemedy(provider: Provider, trans: TranslationBundle): string {
  switch (provider.hint) {
    case 'install_driver':
      return usualRemedy('no_library', trans);
    case 'container_utility_capability':
      return trans.__(
        'The container has the GPU but not the library that reads it. Start it with NVIDIA_DRIVER_CAPABILITIES=compute,utility.'
      );
    case 'restart_server_after_driver_upgrade':
      return usualRemedy('version_mismatch', trans);
    case 'wsl_library_order':
      return trans.__(
        'Under WSL the library of Windows must come first: remove the NVIDIA driver packages of the Linux distribution, or put /usr/lib/wsl/lib first in LD_LIBRARY_PATH.'
      );
    case 'restart_container':
      return trans.__(
        'The container has lost its GPUs. Only a new start of the container brings them back.'
      );
    case 'permission':
      return usualRemedy('no_permission', trans);
    case 'old_binding':
      return usualRemedy('old_binding', trans);
    case null:
    default:
      return (
        usualRemedy(provider.state, trans) ||
        trans.__('See the log of Jupyter Server.')
      );
  }
}
