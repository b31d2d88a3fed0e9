import * as React from 'react';
import type { INotice } from '../words/notice';

interface IProps {
  notice: INotice;

  /**
   * A sentence after the remedy, such as since when it is so.
   */
  also?: string;

  /**
   * Something to press below it.
   */
  action?: React.ReactElement;
}

/**
 * A state in words: what is the matter, what to do.
 */
export function Notice(props: IProps): React.ReactElement {
  const { notice, also, action } = props;
  return (
    <section className="jp-GpuMem-notice">
      <h3>{notice.title}</h3>
      {notice.remedy !== '' && <p>{notice.remedy}</p>}
      {also !== undefined && <p>{also}</p>}
      {notice.detail !== '' && <code>{notice.detail}</code>}
      {action}
    </section>
  );
}
