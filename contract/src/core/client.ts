import type { CallInput, CallOutput, Endpoint } from './endpoint.ts';
import { type ErrorBody, errorBody } from './errors.ts';

/** A refused or failed request: the URL, the HTTP status (0 without a response) and the raw body. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly url: string;
  readonly status: number;
  readonly body: unknown;
  /** Seconds until a retry is accepted, if the response states it. */
  readonly retryAfter: number | undefined;
  constructor(url: string, status: number, body: unknown, retryAfter?: number) {
    super(`${status} from ${url}`);
    this.url = url;
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }
  /** The error body, if the response has one in the format of this API. */
  get refusal(): ErrorBody | undefined {
    return errorBody.safeParse(this.body).data;
  }
}

export type ApiCall = <E extends Endpoint>(endpoint: E, input: CallInput<E>) => Promise<CallOutput<E>>;

export interface ClientOptions {
  /** Base URL, including `/api`. */
  baseUrl: string;
  /** Returns the bearer token, or undefined while signed out. */
  token: () => string | undefined | Promise<string | undefined>;
  fetch?: typeof fetch;
}

/**
 * Creates the API client for the web app, both extensions and the tests. Throws ApiError for any status other than 2xx
 * and without a response (status 0).
 */
export function createClient(options: ClientOptions): ApiCall {
  const send = options.fetch ?? fetch;
  return async (endpoint, input) => {
    const { body } = input as { body?: object };
    const url = urlOf(options.baseUrl, endpoint, input);
    const token = await options.token();
    const response = await send(url, {
      method: endpoint.method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((reason: unknown) => {
      throw new ApiError(url, 0, { message: 'The server could not be reached', cause: String(reason) });
    });
    if (!response.ok) throw new ApiError(url, response.status, await readBody(response), retryAfterOf(response));
    // A 204 has no body and is read as null.
    const data = endpoint.response.parse(response.status === 204 ? null : await readBody(response));
    return (endpoint.paged ? { rows: data, total: Number(response.headers.get('x-total-count')) } : data) as never;
  };
}

/** Returns the URL of a request whose response is not JSON, such as a file. */
export function urlOf<E extends Endpoint>(baseUrl: string, endpoint: E, input: CallInput<E>): string {
  const { params = {}, query = {} } = input as { params?: object; query?: object };
  return `${baseUrl}${pathOf(endpoint, params)}${searchOf(query)}`;
}

/** Returns the path of an endpoint with its parameters. Throws RangeError for a value that a path cannot contain. */
export const pathOf = (endpoint: Endpoint, params: object): string =>
  Object.entries(params).reduce(
    (path, [name, value]) => path.replace(`:${name}`, segmentOf(String(value))),
    endpoint.path,
  );

// A dot segment would address another endpoint. Encoding does not help, since URL parsers read %2e as a dot.
function segmentOf(value: string): string {
  if (/^\.{0,2}$/.test(value) || !value.isWellFormed()) throw new RangeError(`${JSON.stringify(value)} names nothing`);
  return encodeURIComponent(value);
}

function searchOf(query: object): string {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isInteger(seconds) && seconds >= 0 ? seconds : undefined;
}

async function readBody(response: Response): Promise<unknown> {
  const body = await response.text();
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
