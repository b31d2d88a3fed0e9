import type { TranslationBundle } from '@jupyterlab/translation';

/**
 * Put the code of a remedy into words; null for a code of a newer server.
 */
export function hintWords(
  hint: string,
  trans: TranslationBundle
): string | null {
  return (
    setupWords(hint, trans) ??
    placeWords(hint, trans) ??
    driverWords(hint, trans) ??
    kernelWords(hint, trans)
  );
}

function setupWords(hint: string, trans: TranslationBundle): string | null {
  switch (hint) {
    case 'install_driver':
      return trans.__(
        'If this computer has an NVIDIA GPU, install its driver. In a container, start it with --gpus all and the "utility" capability.'
      );
    case 'load_driver':
      return trans.__(
        'Load the driver (run nvidia-smi to see what it says), or restart the computer after installing it. This page finds it by itself.'
      );
    case 'install_binding':
      return trans.__(
        'Install "nvidia-ml-py" in the environment of Jupyter Server, and restart the server.'
      );
    case 'old_binding':
      return trans.__(
        'Uninstall "pynvml" and "nvidia-ml-py3" from the environment of Jupyter Server, install "nvidia-ml-py", and restart the server.'
      );
    case 'stub_library':
      return trans.__(
        'A library that is only meant for building programs is found first. Take its folder "stubs" out of LD_LIBRARY_PATH.'
      );
    case 'permission':
      return trans.__(
        'Ask the administrator for access to /dev/nvidia* for the user that runs Jupyter Server.'
      );
    default:
      return null;
  }
}

function placeWords(hint: string, trans: TranslationBundle): string | null {
  switch (hint) {
    case 'container_utility_capability':
      return trans.__(
        'The container has the GPU but not the library that reads it. Start it with NVIDIA_DRIVER_CAPABILITIES=compute,utility.'
      );
    case 'restart_container':
      return trans.__(
        'The container has lost its GPUs. Only a new start of the container brings them back.'
      );
    case 'share_pid_namespace':
      return trans.__(
        'Totals are right. To see the memory of each process, start the container with --pid=host; without it, kernels report for themselves.'
      );
    case 'wsl_library_order':
      return trans.__(
        'Under WSL the library of Windows must come first: remove the NVIDIA driver packages of the Linux distribution, or put /usr/lib/wsl/lib first in LD_LIBRARY_PATH.'
      );
    default:
      return null;
  }
}

function driverWords(hint: string, trans: TranslationBundle): string | null {
  switch (hint) {
    case 'restart_server_after_driver_upgrade':
      return trans.__(
        'Restart the computer, or reload the driver, and then restart Jupyter Server.'
      );
    case 'check_driver':
      return trans.__(
        'It is asked again by itself. Run nvidia-smi on the computer to see whether the driver works.'
      );
    case 'driver_hangs':
      return trans.__(
        'It is asked again by itself. If nvidia-smi hangs too, the computer has to be restarted.'
      );
    case 'driver_crashed':
      return trans.__(
        'It is asked again by itself. If it goes on, a GPU may be broken: run nvidia-smi on the computer.'
      );
    case 'gpu_asleep':
      return trans.__('Figures come as soon as a program uses it.');
    case 'gpu_lost':
      return trans.__(
        'The GPU no longer answers the computer. Restart the computer; if it comes back, the card or its power supply may be at fault.'
      );
    case 'gpu_reset':
      return trans.__(
        'End the programs that use the GPU and run nvidia-smi --gpu-reset, or restart the computer.'
      );
    default:
      return null;
  }
}

function kernelWords(hint: string, trans: TranslationBundle): string | null {
  switch (hint) {
    case 'agent_failed':
      return trans.__(
        'Restart the kernel. Until then its memory is shown as the driver counts it, and cannot be freed from here.'
      );
    case 'gpu_out_of_sight':
      return trans.__(
        'The kernel runs where the server has no access to the driver; what the kernel itself tells is shown.'
      );
    case 'report_bug':
      return trans.__(
        'This should not happen. Please report it, with what the log of Jupyter Server says.'
      );
    default:
      return null;
  }
}
