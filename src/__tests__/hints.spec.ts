import { hintWords } from '../words/hints';
import { trans } from './trans';

describe('a remedy', () => {
  it.each([
    'install_driver',
    'share_pid_namespace',
    'driver_hangs',
    'gpu_lost',
    'agent_failed'
  ])('with the code %s is a sentence', code => {
    expect(hintWords(code, trans)).toMatch(/^[A-Z].*\.$/);
  });

  it('of a newer server has no words here', () => {
    expect(hintWords('a_code_of_tomorrow', trans)).toBeNull();
  });
});
