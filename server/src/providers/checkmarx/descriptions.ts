import { z } from 'zod';
import type { CheckmarxClient } from './client.ts';

const text = z.string().nullish().catch(null);
const answer = z.array(
  z.object({
    queryId: z.union([z.string(), z.number().transform(String)]),
    risk: text,
    cause: text,
    generalRecommendations: text,
  }),
);

// The gateway of the API rejects longer URLs.
const MAX_QUERY_LENGTH = 1400;

/** The descriptions of queries as Markdown by ID. Ignores errors, so that they do not fail a sync. */
export async function describeQueries(
  session: CheckmarxClient,
  queryIds: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const query of queriesFor(queryIds)) {
    const parsed = answer.safeParse(await session.get(`/api/queries/descriptions?${query}`).catch(() => undefined));
    for (const { queryId, risk, cause, generalRecommendations } of parsed.data ?? []) {
      const parts = [
        risk && `## What might happen\n\n${risk.trim()}`,
        cause && `## How it happens\n\n${cause.trim()}`,
        generalRecommendations && `## What to do\n\n${generalRecommendations.trim()}`,
      ];
      found.set(queryId, parts.filter((part) => part).join('\n\n'));
    }
  }
  return found;
}

function* queriesFor(ids: readonly string[]): Generator<string> {
  let query = '';
  for (const id of ids) {
    const part = `ids=${encodeURIComponent(id)}`;
    if (query.length + part.length > MAX_QUERY_LENGTH) {
      yield query;
      query = '';
    }
    query = query === '' ? part : `${query}&${part}`;
  }
  if (query !== '') yield query;
}
