import type { TranslationBundle } from '@jupyterlab/translation';

function fill(text: string, values: readonly unknown[]): string {
  return text.replace(/%(\d+)/g, (_, place: string) =>
    String(values[Number(place) - 1])
  );
}

function plural(
  one: string,
  many: string,
  count: number,
  values: readonly unknown[]
): string {
  return fill(count === 1 ? one : many, [count, ...values]);
}

/**
 * Translates into the language the texts are written in. JupyterLab's own would bring the page's machinery along.
 */
export const trans: TranslationBundle = {
  __: (text, ...values) => fill(text, values),
  gettext: (text, ...values) => fill(text, values),
  _n: (one, many, count, ...values) => plural(one, many, count, values),
  ngettext: (one, many, count, ...values) => plural(one, many, count, values),
  _p: (_context, text, ...values) => fill(text, values),
  pgettext: (_context, text, ...values) => fill(text, values),
  _np: (_context, one, many, count, ...values) =>
    plural(one, many, count, values),
  npgettext: (_context, one, many, count, ...values) =>
    plural(one, many, count, values),
  dcnpgettext: (_domain, _context, one, many, count, ...values) =>
    plural(one, many, count, values)
};
