import { ApiError } from '@sightline/contract/core/client.ts';
import type { CallInput, CallOutput, Endpoint, Page } from '@sightline/contract/core/endpoint.ts';
import type { ErrorCode } from '@sightline/contract/core/errors.ts';
import { afterEach } from 'vitest';

type FakeAnswer = (input: never) => unknown;

/**
 * A fake API for tests. Responses are typed by the contract, so that they match the server. Import it before modules
 * that call the API, since the client reads `fetch` when it is loaded.
 */
export const fakeApi = {
  /** Sets the response of an endpoint until the test ends; replaces an earlier one. */
  answer<E extends Endpoint>(
    endpoint: E,
    reply: (input: CallInput<E>) => CallOutput<E> | Promise<CallOutput<E>>,
  ): void {
    answers.set(endpoint, reply as FakeAnswer);
  },
  /** Rejects requests to an endpoint as the server would. */
  refuse(endpoint: Endpoint, status: number, code: ErrorCode, message: string): void {
    answers.set(endpoint, () => {
      throw new ApiError(endpoint.path, status, { code, message, requestId: 'req-1' });
    });
  },
};

const answers = new Map<Endpoint, FakeAnswer>();
afterEach(() => answers.clear());

globalThis.fetch = async (address, request) => {
  const url = new URL(String(address), 'http://localhost');
  // The server prefers a literal segment to a parameter.
  for (const [endpoint, answer] of [...answers].sort(([one], [other]) => parametersOf(one) - parametersOf(other))) {
    const params = paramsOf(endpoint, url.pathname);
    if (!params || endpoint.method !== (request?.method ?? 'GET')) continue;
    return respond(endpoint, answer, {
      params,
      query: endpoint.query?.parse(Object.fromEntries(url.searchParams)),
      body: typeof request?.body === 'string' ? endpoint.body?.parse(JSON.parse(request.body)) : undefined,
    });
  }
  return Response.json({ code: 'not_found', message: `${url.pathname} is not faked`, requestId: '' }, { status: 404 });
};

async function respond(endpoint: Endpoint, answer: FakeAnswer, input: object): Promise<Response> {
  try {
    const result = await answer(input as never);
    if (!endpoint.paged) return Response.json(result, { status: endpoint.status ?? 200 });
    const { rows, total } = result as Page<unknown>;
    return Response.json(rows, { headers: { 'x-total-count': String(total) } });
  } catch (error) {
    if (error instanceof ApiError) return Response.json(error.body, { status: error.status });
    throw error;
  }
}

const parametersOf = ({ path }: Endpoint): number => path.split(':').length;

/** The parameters of a path, one segment each as sent by the client; undefined for another path. */
function paramsOf(endpoint: Endpoint, pathname: string): Record<string, string> | undefined {
  const names = `/api${endpoint.path}`.split('/');
  const parts = pathname.split('/');
  if (names.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const part = parts[index] ?? '';
    if (name.startsWith(':')) params[name.slice(1)] = decodeURIComponent(part);
    else if (name !== part) return undefined;
  }
  return params;
}
