import { z } from 'zod';
import { HostLimited } from '#providers/code-host.ts';
import type { GithubApi } from './client.ts';

const faults = z.object({ errors: z.array(z.object({ type: z.string().nullish() })).nullish() });
const minute = 60 * 1000;

/** Sends a GraphQL query and returns the response with `data` and `errors`. Throws the errors of CodeHost. */
export type GraphqlQuery = (ask: GithubApi, query: string, variables: Record<string, unknown>) => Promise<unknown>;

/** `apiUrl`: the base URL of the REST API. On an Enterprise Server, GraphQL is next to `/api/v3` and not below it. */
export function createGraphqlQuery(apiUrl: string): GraphqlQuery {
  const route = `POST ${apiUrl.replace(/\/v3\/?$/, '').replace(/\/$/, '')}/graphql`;
  return async (ask, query, variables) => {
    const { data } = await ask(route, { query, variables });
    // GraphQL reports a rate limit with status 200.
    if (faults.safeParse(data).data?.errors?.some(({ type }) => type === 'RATE_LIMITED')) {
      throw new HostLimited(new Date(Date.now() + minute));
    }
    return data;
  };
}

const CONCURRENT_QUERIES = 4;

/** Splits items into chunks of `perQuestion` and requests some chunks concurrently. */
export async function queryInChunks<Item>(
  items: readonly Item[],
  perQuestion: number,
  ask: (chunk: Item[]) => Promise<void>,
): Promise<void> {
  const starts = Array.from(
    { length: Math.ceil(items.length / perQuestion) },
    (_, index) => index * perQuestion,
  ).values();
  const worker = async () => {
    for (const start of starts) await ask(items.slice(start, start + perQuestion));
  };
  await Promise.all(Array.from({ length: CONCURRENT_QUERIES }, worker));
}

const answerShape = z.object({
  data: z.object({ repository: z.record(z.string(), z.unknown()).nullish() }).nullish(),
});

/** The fields of the repository in a response; empty on failure, for a fallback to REST. Throws HostLimited. */
export async function repositoryFieldsOf(answer: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    return answerShape.safeParse(await answer).data?.data?.repository ?? {};
  } catch (error) {
    if (error instanceof HostLimited) throw error;
    return {};
  }
}
