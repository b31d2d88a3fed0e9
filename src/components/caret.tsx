import { caretDownIcon, caretRightIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

interface IProps {
  isOpen: boolean;
  label: string;
  onClick: () => void;
}

/**
 * The button that folds and unfolds what is below it.
 */
export function Caret(props: IProps): React.ReactElement {
  const { isOpen, label, onClick } = props;
  const Icon = isOpen ? caretDownIcon : caretRightIcon;
  return (
    <button
      type="button"
      className="jp-GpuMem-caret"
      aria-expanded={isOpen}
      aria-label={label}
      onClick={onClick}
    >
      <Icon.react tag="span" />
    </button>
  );
}
