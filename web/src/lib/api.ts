import { type ApiCall, ApiError, createClient } from '@sightline/contract/core/client.ts';
import type { CallInput, CallOutput, Endpoint } from '@sightline/contract/core/endpoint.ts';
import { queryOptions } from '@tanstack/react-query';
import { fetchOnce } from './fetch-once.ts';
import { accessToken, restartSession } from './session.ts';
import { withStepUp } from './step-up.ts';
import { registerTopics, reportChanges } from './topics.ts';

/**
 * The only API client of the app. Throws ApiError; a 401 also ends the session (spec 8). A change that needs a recent
 * sign-in requests one and is sent again.
 */
export const call: ApiCall = async (endpoint, input) => {
  try {
    return await withStepUp(() => client(endpoint, input));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) restartSession();
    throw error;
  } finally {
    reportChanges(endpoint);
  }
};

/** The endpoint is the cache key, so that features with the same query share one response. */
export const endpointQuery = <E extends Endpoint>(endpoint: E, input: CallInput<E>) =>
  queryOptions<CallOutput<E>, ApiError>({ queryKey: keyOf(endpoint, input), queryFn: () => call(endpoint, input) });

/** The cache key of an endpoint's responses; without input, of all of them. */
export function keyOf<E extends Endpoint>(endpoint: E, input?: CallInput<E>) {
  registerTopics(endpoint);
  return input === undefined ? [endpoint.path] : [endpoint.path, input];
}

const client = createClient({
  baseUrl: '/api',
  token: accessToken,
  fetch: (url, init = {}) => fetchOnce(String(url), init),
});
