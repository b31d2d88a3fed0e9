import type { FullResult, Reporter, TestCase } from '@playwright/test/reporter';

/**
 * Close the run with one plain line of counts.
 */
export default class ClosingLine implements Reporter {
  onTestEnd(test: TestCase): void {
    this._outcomes.set(test.id, test.outcome());
  }

  onEnd(_result: FullResult): void {
    const outcomes = [...this._outcomes.values()];
    const passed = outcomes.filter(outcome => outcome === 'expected').length;
    console.log(`${passed} passed, ${outcomes.length - passed} failed`);
  }

  private readonly _outcomes = new Map<string, string>();
}
