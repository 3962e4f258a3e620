import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import type { ApiReply } from '../api.ts';

/** The fault of one request. */
export type Fault =
  | 'none'
  /** The request never arrives. */
  | 'lost'
  /** The request is stored, and the response is lost. */
  | 'unanswered'
  | 'busy'
  | 'broken'
  | 'unauthenticated'
  | 'forbidden'
  | 'archived'
  /** Another server responds with 200. */
  | 'hotel';

export interface FakeServer {
  take: (token: string, events: readonly IdentifyEvent[]) => Promise<ApiReply>;
  token: () => string;
  /** How often each event was stored; a resent one is deduplicated. */
  stored: Map<string, number>;
  /** Events that it rejects individually. */
  rejected: Set<string>;
  /** Events for which it rejects the entire request. */
  poison: Set<string>;
  /** Maximum number of events per request before it returns 413. */
  most: number;
  fault: Fault;
  /** The `Retry-After` delay in milliseconds when busy. */
  retryAfterMs: number | null;
  requests: { at: number; count: number }[];
}

export function createFakeServer(clock: () => number): FakeServer {
  const server: FakeServer = {
    stored: new Map(),
    rejected: new Set(),
    poison: new Set(),
    most: 500,
    fault: 'none',
    retryAfterMs: null,
    requests: [],
    token: () => 'token',
    take: async (_token, events) => {
      const { fault } = server;
      server.requests.push({ at: clock(), count: events.length });
      if (fault === 'unanswered') {
        storing(server, events);
        return refusal(0);
      }
      if (fault !== 'none') return { ...answers[fault], retryAfterMs: server.retryAfterMs };
      if (events.length === 0 || events.some((event) => server.poison.has(event.message_id))) return refusal(400);
      return events.length > server.most ? refusal(413) : storing(server, events);
    },
  };
  return server;
}

function storing(server: FakeServer, events: readonly IdentifyEvent[]): ApiReply {
  const rejected = events.flatMap((event, index) =>
    server.rejected.has(event.message_id)
      ? [{ index, code: 'validation_failed', field: 'identifiers.kind', message: 'is not one of the kinds' }]
      : [],
  );
  const refused = new Set(rejected.map(({ index }) => index));
  let accepted = 0;
  for (const [index, event] of events.entries()) {
    if (refused.has(index) || server.stored.has(event.message_id)) continue;
    server.stored.set(event.message_id, (server.stored.get(event.message_id) ?? 0) + 1);
    accepted += 1;
  }
  const body = { accepted, duplicates: events.length - accepted - rejected.length, rejected };
  return { status: 202, body, retryAfterMs: null, message: '' };
}

const refusal = (status: number, message = `It said ${status}.`): ApiReply => ({
  status,
  body: null,
  retryAfterMs: null,
  message,
});

const answers: Record<Exclude<Fault, 'none' | 'unanswered'>, ApiReply> = {
  lost: refusal(0),
  busy: refusal(429),
  broken: refusal(503),
  unauthenticated: refusal(401),
  forbidden: refusal(403),
  archived: refusal(409),
  hotel: { status: 200, body: { welcome: 'to our hotel', rejected: [] }, retryAfterMs: null, message: '' },
};
