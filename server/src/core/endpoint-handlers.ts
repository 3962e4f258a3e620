import type { Endpoint } from '@sightline/contract/core/endpoint.ts';

/** The handler of each mounted endpoint. `route` adds them; the type of a call depends on its endpoint. */
export type EndpointHandlers = Map<Endpoint, (call: never) => Promise<unknown>>;
