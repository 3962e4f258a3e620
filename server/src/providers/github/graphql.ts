import { z } from 'zod';
import { HostLimited } from '#providers/code-host.ts';
import type { Ask } from './client.ts';

const faults = z.object({ errors: z.array(z.object({ type: z.string().nullish() })).nullish() });
const minute = 60 * 1000;

/** Asks a question of GraphQL; answers it whole, with `errors` beside `data`. Throws as CodeHost says. */
export type Question = (ask: Ask, query: string, variables: Record<string, unknown>) => Promise<unknown>;

/** `apiUrl`: the base of the REST API. GraphQL lies beside it; on an Enterprise Server beside /api/v3 and not below it. */
export function createQuestion(apiUrl: string): Question {
  const route = `POST ${apiUrl.replace(/\/v3\/?$/, '').replace(/\/$/, '')}/graphql`;
  return async (ask, query, variables) => {
    const { data } = await ask(route, { query, variables });
    // Here a limit is an answer like any other, not a status.
    if (faults.safeParse(data).data?.errors?.some(({ type }) => type === 'RATE_LIMITED')) {
      throw new HostLimited(new Date(Date.now() + minute));
    }
    return data;
  };
}
