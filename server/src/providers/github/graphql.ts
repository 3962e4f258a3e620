import { z } from 'zod';
import { HostLimited } from '#providers/code-host.ts';
import type { Ask } from './client.ts';

const faults = z.object({ errors: z.array(z.object({ type: z.string().nullish() })).nullish() });
const minute = 60 * 1000;

/** Asks a question of GraphQL; answers it whole, with `errors` beside `data`. Throws as CodeHost says. */
export type GraphqlQuery = (ask: Ask, query: string, variables: Record<string, unknown>) => Promise<unknown>;

/** `apiUrl`: the base of the REST API. GraphQL lies beside it; on an Enterprise Server beside /api/v3 and not below it. */
export function createQuestion(apiUrl: string): GraphqlQuery {
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

const questionsAtOnce = 4;

/** Asks about many items, so many in a question, and some questions at once. */
export async function askInChunks<Item>(
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
  await Promise.all(Array.from({ length: questionsAtOnce }, worker));
}

const answerShape = z.object({
  data: z.object({ repository: z.record(z.string(), z.unknown()).nullish() }).nullish(),
});

/** What an answer has below its repository; nothing where the host fails on the question, which REST may answer then. Throws HostLimited. */
export async function objectsOf(answer: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    return answerShape.safeParse(await answer).data?.data?.repository ?? {};
  } catch (error) {
    if (error instanceof HostLimited) throw error;
    return {};
  }
}
