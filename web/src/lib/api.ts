import { type ApiError, createClient } from '@sightline/contract/client.ts';
import type { CallInput, CallOutput, Endpoint } from '@sightline/contract/endpoint.ts';
import { queryOptions } from '@tanstack/react-query';
import { accessToken } from './session.ts';

/** The one way to the API. Throws ApiError; what happens then is decided once, in app/providers.tsx. */
export const call = createClient({ baseUrl: '/api', token: accessToken });

/** The endpoint is the cache key, so that two features asking the same question share one answer. */
export const ask = <E extends Endpoint>(endpoint: E, input: CallInput<E>) =>
  queryOptions<CallOutput<E>, ApiError>({ queryKey: keyOf(endpoint, input), queryFn: () => call(endpoint, input) });

/** The cache key of an endpoint's answers; without input, of all of them. */
export const keyOf = <E extends Endpoint>(endpoint: E, input?: CallInput<E>) =>
  input === undefined ? [endpoint.path] : [endpoint.path, input];
