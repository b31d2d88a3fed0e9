import { URLExt } from '@jupyterlab/coreutils';
import { ServerConnection } from '@jupyterlab/services';
import { type Failure, RequestFailed } from './failure';
import {
  decodeErrorBody,
  decodeFreeReport,
  decodeSnapshot,
  type IDecodedSnapshot,
  WireVersionError
} from './wire/decode';
import type { FreeReport, FreeRequest } from './wire/schema';

const NAMESPACE = 'jupyterlab-gpumem/v1';

/**
 * Speaks with the server's half of the extension.
 */
export class GpuMemClient {
  constructor(options: GpuMemClient.IOptions) {
    this._settings = options.serverSettings;
  }

  /**
   * Fetch what the server knows; the very same object again if nothing has changed.
   */
  async snapshot(): Promise<IDecodedSnapshot> {
    const known = this._known;
    const headers = known ? { 'If-None-Match': known.etag } : undefined;
    const response = await this._request('snapshot', { headers });
    if (response.status === 304 && known) {
      return known.decoded;
    }
    const decoded = await this._read(response, decodeSnapshot);
    const etag = response.headers.get('ETag');
    this._known = etag ? { etag, decoded } : null;
    return decoded;
  }

  /**
   * Give GPU memory of a kernel back; resolves when the kernel has done it.
   */
  async free(kernelId: string, request: FreeRequest): Promise<FreeReport> {
    const path = `kernels/${encodeURIComponent(kernelId)}/free`;
    const body = JSON.stringify(request);
    const response = await this._request(path, { method: 'POST', body });
    return this._read(response, decodeFreeReport);
  }

  private async _request(path: string, init: RequestInit): Promise<Response> {
    const url = URLExt.join(this._settings.baseUrl, NAMESPACE, path);
    try {
      return await ServerConnection.makeRequest(url, init, this._settings);
    } catch (error) {
      if (error instanceof ServerConnection.NetworkError) {
        throw new RequestFailed({ kind: 'unreachable' });
      }
      throw error;
    }
  }

  private async _read<T>(
    response: Response,
    decode: (body: unknown) => T
  ): Promise<T> {
    // Also a proxy's page of words can come here: what is no JSON has no body for us.
    const body: unknown = await response.json().catch(() => null);
    if (!response.ok) {
      throw new RequestFailed(refusal(response, body));
    }
    try {
      return decode(body);
    } catch (error) {
      throw new RequestFailed(misfit(error));
    }
  }

  private _known: { etag: string; decoded: IDecodedSnapshot } | null = null;
  private readonly _settings: ServerConnection.ISettings;
}

/**
 * Types of the client.
 */
export namespace GpuMemClient {
  /**
   * How to reach the server.
   */
  export interface IOptions {
    serverSettings: ServerConnection.ISettings;
  }
}

function refusal(response: Response, body: unknown): Failure {
  try {
    const { reason, message } = decodeErrorBody(body);
    return { kind: 'refused', reason, message };
  } catch (error) {
    if (error instanceof WireVersionError && error.found !== undefined) {
      return { kind: 'wrong_version' };
    }
  }
  switch (response.status) {
    case 401:
    case 403:
      return { kind: 'not_allowed' };
    case 404:
      return { kind: 'not_enabled' };
    case 502:
    case 503:
    case 504:
      return { kind: 'unreachable' };
    default:
      return {
        kind: 'bad_answer',
        detail: `${response.status} ${response.statusText}`
      };
  }
}

function misfit(error: unknown): Failure {
  return error instanceof WireVersionError
    ? { kind: 'wrong_version' }
    : { kind: 'bad_answer', detail: String(error) };
}
