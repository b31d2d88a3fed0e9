import type { TranslationBundle } from '@jupyterlab/translation';
import { formatBytes } from '../format';
import type { Category, HeldTensor, Holder, Root } from '../wire/schema';
import { SEPARATOR } from './kernels';

/**
 * What a holder is and whether others hold the same, in one line.
 */
export function kindWords(holder: Holder, trans: TranslationBundle): string {
  const { root, category, tensors, reaches_bytes, only_bytes } = holder;
  const words = [rootWords(root, trans)];
  if (tensors > 0) {
    words.push(
      category === 'tensor'
        ? trans._n('%1 tensor', '%1 tensors', tensors)
        : `${categoryWords(category, trans)}, ${trans._n('%1 tensor', '%1 tensors', tensors)}`
    );
  }
  if (holder.shared_with.length > 0) {
    words.push(
      trans.__('shared with %1', holder.shared_with.join(', ')),
      only_bytes === 0
        ? trans.__('nothing alone')
        : trans.__('%1 alone', formatBytes(only_bytes, trans))
    );
  } else if (only_bytes < reaches_bytes) {
    words.push(trans.__('%1 alone', formatBytes(only_bytes, trans)));
  }
  return words.filter(word => word !== '').join(SEPARATOR);
}

/**
 * What a tensor looks like, in one line.
 */
export function tensorWords(
  tensor: HeldTensor,
  trans: TranslationBundle
): string {
  const { dtype, shape, device, category, requires_grad } = tensor;
  const words = [
    `${dtype} ${shape.length > 0 ? shape.join('×') : trans.__('scalar')}`,
    device,
    category === 'tensor' ? '' : categoryWords(category, trans),
    requires_grad ? trans.__('requires grad') : ''
  ];
  return words.filter(word => word !== '').join(SEPARATOR);
}

/**
 * What most of a holder's memory is for.
 */
export function categoryWords(
  category: Category,
  trans: TranslationBundle
): string {
  switch (category) {
    case 'parameter':
      return trans.__('parameters');
    case 'gradient':
      return trans.__('gradients');
    case 'optimizer_state':
      return trans.__('optimizer state');
    case 'buffer':
      return trans.__('buffers');
    case 'graph':
      return trans.__('autograd graph');
    case 'tensor':
      return trans.__('tensors');
  }
}

function rootWords(root: Root, trans: TranslationBundle): string {
  switch (root) {
    case 'variable':
      return '';
    case 'output':
      return trans.__('stored output');
    case 'exception':
      return trans.__('stored error');
    case 'figure':
      return trans.__('figure');
    case 'widget':
      return trans.__('widget');
    case 'script':
      return trans.__('name of a script that %run has run');
    case 'store':
      return trans.__('cache of %store');
    case 'debugger':
      return trans.__('debugger');
    case 'function_cache':
      return trans.__('function cache');
    case 'hook':
    case 'thread':
    case 'task':
    case 'module':
    case 'garbage':
    case 'unknown':
      return lastingRootWords(root, trans);
  }
}

function lastingRootWords(
  root: 'hook' | 'thread' | 'task' | 'module' | 'garbage' | 'unknown',
  trans: TranslationBundle
): string {
  switch (root) {
    case 'hook':
      return trans.__('registered hook');
    case 'thread':
      return trans.__('running thread');
    case 'task':
      return trans.__('task of the event loop');
    case 'module':
      return trans.__('global of a module');
    case 'garbage':
      return trans.__('waits for the collector');
    case 'unknown':
      return trans.__('held by something without a name');
  }
}
