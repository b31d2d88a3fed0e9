import { ServerConnection } from '@jupyterlab/services';
import { GpuMemClient } from '../../api';
import { failureOf } from '../../failure';
import { exampleOf } from '../contract';

interface IRequest {
  readonly url: string;
  readonly init: RequestInit;
}

class FakeServer {
  readonly requests: IRequest[] = [];
  answer: () => Response = () => new Response('{}');

  client(): GpuMemClient {
    const serverSettings = ServerConnection.makeSettings({
      baseUrl: 'http://server/base/',
      fetch: (input: RequestInfo | URL, init: RequestInit = {}) => {
        const url = input instanceof Request ? input.url : String(input);
        this.requests.push({ url, init });
        return Promise.resolve().then(this.answer);
      }
    });
    return new GpuMemClient({ serverSettings });
  }

  say(body: unknown, status = 200, headers: Record<string, string> = {}): void {
    this.answer = () => new Response(JSON.stringify(body), { status, headers });
  }
}

describe('GpuMemClient', () => {
  let server: FakeServer;

  beforeEach(() => {
    server = new FakeServer();
  });

  const failing = async (request: Promise<unknown>): Promise<unknown> => {
    try {
      await request;
    } catch (error) {
      return failureOf(error);
    }
    return null;
  };

  it('fetches a snapshot below the base URL', async () => {
    server.say(exampleOf('snapshot-two-gpus'));
    const { snapshot } = await server.client().snapshot();
    expect(snapshot).toEqual(exampleOf('snapshot-two-gpus'));
    expect(server.requests[0]?.url).toMatch(
      /^http:\/\/server\/base\/jupyterlab-gpumem\/v1\/snapshot(\?|$)/
    );
  });

  it('gives the same object again when the server has nothing new', async () => {
    const client = server.client();
    server.say(exampleOf('snapshot-two-gpus'), 200, { ETag: '"a"' });
    const first = await client.snapshot();
    server.answer = () => new Response(null, { status: 304 });
    expect(await client.snapshot()).toBe(first);
  });

  it('sends what the contract says to free', async () => {
    server.say(exampleOf('free-report-reset'));
    await server
      .client()
      .free('a/b', { level: 'reset', keep_imports: false, when_busy: 'fail' });
    expect(server.requests[0]?.url).toContain('/kernels/a%2Fb/free');
  });

  it.each([
    [409, exampleOf('error-busy'), { kind: 'refused', reason: 'busy' }],
    [403, { message: 'Forbidden' }, { kind: 'not_allowed' }],
    [404, { message: 'Not Found' }, { kind: 'not_enabled' }],
    [503, null, { kind: 'unreachable' }],
    [500, null, { kind: 'bad_answer' }],
    [400, { wire_version: 2 }, { kind: 'wrong_version' }],
    [200, { wire_version: 2 }, { kind: 'wrong_version' }],
    [200, { wire_version: 1 }, { kind: 'bad_answer' }]
  ])('turns %p %j into a failure', async (status, body, failure) => {
    server.say(body, status);
    expect(await failing(server.client().snapshot())).toMatchObject(failure);
  });

  it('says that the server is away when there is no answer', async () => {
    server.answer = () => {
      throw new TypeError('Failed to fetch');
    };
    expect(await failing(server.client().snapshot())).toEqual({
      kind: 'unreachable'
    });
  });

  it('does not choke on a page of a proxy', async () => {
    server.answer = () => new Response('<html>sign in</html>');
    expect(await failing(server.client().snapshot())).toMatchObject({
      kind: 'bad_answer'
    });
  });
});
