import { fireEvent, render, screen } from '@testing-library/react';
import * as React from 'react';
import { DiagnosticsView } from '../../components/diagnostics-view';
import { decodeDiagnostics } from '../../wire/diagnostics';
import { exampleOf } from '../contract';
import { trans } from '../trans';

describe('the diagnostics', () => {
  const diagnostics = decodeDiagnostics(exampleOf('diagnostics'));

  it('say of each check how it came out and what to do', () => {
    render(
      <DiagnosticsView
        state={{ kind: 'ready', diagnostics }}
        onReload={() => {}}
        onCopy={() => {}}
        trans={trans}
      />
    );
    const items = screen.getAllByRole('listitem');
    expect(items).toHaveLength(5);
    expect(items[0]?.textContent).toContain('worksServer extension');
    expect(items[3]?.textContent).toContain('brokenDevice');
  });

  it('are copied as plain text with the remedies', () => {
    const copied: string[] = [];
    render(
      <DiagnosticsView
        state={{ kind: 'ready', diagnostics }}
        onReload={() => {}}
        onCopy={text => copied.push(text)}
        trans={trans}
      />
    );
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
    expect(copied[0]).toContain('[works] Driver library: /usr/lib');
    expect(copied[0]).toMatch(/\[incomplete\] Process ids: .*\n {2}-> \w/);
    expect(copied[0]).not.toContain('null');
    expect(screen.getByRole('status').textContent).toContain('Copied');
  });

  it('say why they cannot be had', () => {
    render(
      <DiagnosticsView
        state={{ kind: 'failed', failure: { kind: 'not_enabled' } }}
        onReload={() => {}}
        onCopy={() => {}}
        trans={trans}
      />
    );
    expect(
      screen.getByText('The server half of this extension is not running')
    ).toBeTruthy();
  });
});
