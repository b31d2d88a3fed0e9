import type { TranslationBundle } from '@jupyterlab/translation';
import { formatBytes } from '../format';
import type { Explanation, ExplanationCode } from '../wire/schema';

type Say = (values: IValues, trans: TranslationBundle) => string;

/** The values of an explanation as text; those that its code does not use are empty. */
interface IValues {
  readonly path: string;
  readonly other: string;
  readonly size: string;
  readonly count: number;
}

/**
 * Say in a sentence or two what is the matter with memory, and what to do.
 */
export function explanationWords(
  explanation: Explanation,
  trans: TranslationBundle
): string {
  const { code, path, other, bytes, count } = explanation;
  const values = {
    path: path ?? '',
    other: other ?? '',
    size: formatBytes(bytes, trans),
    count: count ?? 0
  };
  return SENTENCES[code](values, trans);
}

const HOLDING: Pick<
  Record<ExplanationCode, Say>,
  | 'exception'
  | 'outputs'
  | 'graph_kept'
  | 'graph_on_output'
  | 'optimizer'
  | 'second_name'
  | 'view'
  | 'function_cache'
> = {
  exception: ({ size }, trans) =>
    trans.__(
      'The last error keeps the frames of the failed call, and those hold %1. Free GPU objects lets it go.',
      size
    ),
  outputs: ({ size, count }, trans) =>
    trans._n(
      '%1 stored output (Out, _) holds %2. End a line with ";" so that its value is not kept.',
      '%1 stored outputs (Out, _) hold %2. End a line with ";" so that its value is not kept.',
      count,
      size
    ),
  graph_kept: ({ path, size, count }, trans) =>
    trans.__(
      '%1 keeps %2 results with their whole graphs (%3). Store loss.item() in place of loss.',
      path,
      count,
      size
    ),
  graph_on_output: ({ path, size }, trans) =>
    trans.__(
      '%1 keeps the graph it was computed with (%2). Compute it under torch.no_grad(), or call .detach().',
      path,
      size
    ),
  optimizer: ({ path, size }, trans) =>
    trans.__(
      '%1 keeps the parameters of a model and its own state (%2). Delete the optimizer too.',
      path,
      size
    ),
  second_name: ({ path, other, size }, trans) =>
    trans.__(
      '%1 and %2 are the same memory (%3): it comes free when both are gone.',
      path,
      other,
      size
    ),
  view: ({ path, size }, trans) =>
    trans.__(
      '%1 is a small part of a large tensor and keeps all of it (%2). Use .clone() to keep the part alone.',
      path,
      size
    ),
  function_cache: ({ path, size }, trans) =>
    trans.__(
      'The cache of %1 holds %2. Call its cache_clear(), or free GPU objects.',
      path,
      size
    )
};

const LASTING: Pick<
  Record<ExplanationCode, Say>,
  | 'module'
  | 'thread'
  | 'suspended'
  | 'hook'
  | 'hook_refers'
  | 'garbage'
  | 'workers'
> = {
  module: ({ path, size }, trans) =>
    trans.__(
      '%1 holds %2 and stays: it belongs to an imported module. Empty it by hand.',
      path,
      size
    ),
  thread: ({ path, size }, trans) =>
    trans.__(
      '%1 still runs and holds %2. It comes free when the thread ends.',
      path,
      size
    ),
  suspended: ({ path, size }, trans) =>
    trans.__(
      'The generator %1 is suspended and keeps its local names (%2). Close or delete it.',
      path,
      size
    ),
  hook: ({ path, size }, trans) =>
    trans.__(
      '%1 is registered and holds %2. Unregister it where you registered it.',
      path,
      size
    ),
  hook_refers: ({ path, other }, trans) =>
    trans.__(
      'The hook %1 refers to %2, which has been dropped: it will fail when it is called.',
      path,
      other
    ),
  garbage: ({ size }, trans) =>
    trans.__(
      'Cycles of objects (%1) were waiting for the collector; they are gone now or go at the next cleanup.',
      size
    ),
  workers: ({ size, count }, trans) =>
    trans._n(
      '%1 process started by this kernel has memory of its own (%2). It goes when that process ends.',
      '%1 processes started by this kernel have memory of their own (%2). It goes when they end.',
      count,
      size
    )
};

const BELOW: Pick<
  Record<ExplanationCode, Say>,
  'cached' | 'in_use' | 'fragmentation' | 'context' | 'broken'
> = {
  cached: ({ size }, trans) =>
    trans.__(
      'PyTorch keeps %1 of freed memory for itself. "Free GPU Cache" gives it back.',
      size
    ),
  in_use: ({ size }, trans) =>
    trans.__(
      '%1 cannot be given back because tensors in the same segments are alive.',
      size
    ),
  fragmentation: ({ size }, trans) =>
    trans.__(
      '%1 of free memory is split up between live tensors. Start the kernel with PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.',
      size
    ),
  context: ({ size }, trans) =>
    trans.__(
      '%1 is the CUDA context and other libraries. It goes only with the kernel.',
      size
    ),
  broken: (_, trans) =>
    trans.__(
      'CUDA is broken in this kernel, as after a failed assertion on the GPU: nothing but a restart helps.'
    )
};

const SENTENCES: Record<ExplanationCode, Say> = {
  ...HOLDING,
  ...LASTING,
  ...BELOW
};
