import { URLExt } from '@jupyterlab/coreutils';
import { ServerConnection } from '@jupyterlab/services';
import { type Failure, RequestFailed } from './failure';
import {
  decodeErrorBody,
  decodeFreeReport,
  decodeFreeStatus,
  decodeRefreshed,
  decodeSnapshot,
  type IDecodedSnapshot,
  WireVersionError
} from './wire/decode';
import { decodeCells } from './wire/cells';
import { decodeDiagnostics } from './wire/diagnostics';
import { decodeHolders } from './wire/holders';
import { decodeHistory } from './wire/history';
import type {
  Cells,
  Diagnostics,
  FreeReport,
  FreeRequest,
  FreeStatus,
  History,
  Holders,
  Refreshed
} from './wire/schema';

const NAMESPACE = 'jupyterlab-gpumem/v1';
const ACCEPTED = 202;
// As many as the contract allows at a time.
const PAGE = 200;

/**
 * What has come of a cleanup: its report, or that it waits for the running cell.
 */
export type Freed =
  | { readonly kind: 'done'; readonly report: FreeReport }
  | { readonly kind: 'waiting'; readonly operationId: string };

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
   * Fetch the figures of the last minutes that the server has kept.
   */
  async history(): Promise<History> {
    return this._read(await this._request('history', {}), decodeHistory);
  }

  /**
   * Fetch what works on the server and what does not.
   */
  async diagnostics(): Promise<Diagnostics> {
    return this._read(
      await this._request('diagnostics', {}),
      decodeDiagnostics
    );
  }

  /**
   * Ask an idle kernel for its figures; one that runs a cell sends them by itself.
   */
  async refresh(kernelId: string): Promise<Refreshed> {
    const path = `${kernelPath(kernelId)}/refresh`;
    const response = await this._request(path, { method: 'POST' });
    return this._read(response, decodeRefreshed);
  }

  /**
   * Fetch what the last cells of a kernel did to the memory.
   */
  async cells(kernelId: string): Promise<Cells> {
    const path = `${kernelPath(kernelId)}/cells`;
    return this._read(await this._request(path, {}), decodeCells);
  }

  /**
   * Ask a kernel who holds the memory of its tensors, largest first from `offset` on.
   *
   * A look that the user did not ask for is short, since the kernel stands still meanwhile.
   */
  async holders(
    kernelId: string,
    offset = 0,
    limitMs: number | null = null
  ): Promise<Holders> {
    const query = URLExt.objectToQueryString({
      limit: PAGE,
      offset,
      ...(limitMs === null ? {} : { timeout_ms: limitMs })
    });
    const path = `${kernelPath(kernelId)}/holders${query}`;
    return this._read(await this._request(path, {}), decodeHolders);
  }

  /**
   * Give GPU memory of a kernel back; resolves when the kernel has done it, or when it waits for its cell.
   */
  async free(kernelId: string, request: FreeRequest): Promise<Freed> {
    const body = JSON.stringify(request);
    const response = await this._request(`${kernelPath(kernelId)}/free`, {
      method: 'POST',
      body
    });
    if (response.status === ACCEPTED) {
      const { operation } = await this._read(response, decodeFreeStatus);
      return { kind: 'waiting', operationId: operation?.id ?? '' };
    }
    const report = await this._read(response, decodeFreeReport);
    return { kind: 'done', report };
  }

  /**
   * How the cleanup that a kernel did last has ended.
   */
  async freeStatus(kernelId: string): Promise<FreeStatus> {
    const path = `${kernelPath(kernelId)}/free`;
    return this._read(await this._request(path, {}), decodeFreeStatus);
  }

  /**
   * Call a cleanup off that waits for a kernel's cell.
   */
  async cancelFree(kernelId: string): Promise<FreeStatus> {
    const path = `${kernelPath(kernelId)}/free`;
    const response = await this._request(path, { method: 'DELETE' });
    return this._read(response, decodeFreeStatus);
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

function kernelPath(kernelId: string): string {
  return `kernels/${encodeURIComponent(kernelId)}`;
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
