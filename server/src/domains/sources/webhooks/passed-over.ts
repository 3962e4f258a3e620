import type { Database } from '#database/database.ts';
import { repositoryFrom } from '#providers/github/shapes.ts';
import type { Delivery } from './delivery.ts';
import { payloadOf } from './payload.ts';

// Their handlers begin by asking for the repository, and end there where it is not tracked.
const ofRepository: readonly string[] = ['pull_request', 'pull_request_review'];
// After these, other repositories may be there and tracked.
const changing: readonly string[] = ['installation', 'installation_repositories', 'repository'];

/**
 * The ids of those deliveries that tell only of repositories nobody tracks, found with one question for all of them. Whoever
 * has a repository tracked meanwhile has its past imported, with what they tell.
 */
export async function passedOver(
  database: Pick<Database, 'onceWithOrg'>,
  orgId: string,
  deliveries: readonly Delivery[],
): Promise<ReadonlySet<string>> {
  if (deliveries.some(({ event }) => changing.includes(event))) return new Set();
  const named = deliveries.flatMap(({ provider, id, event, body }) => {
    const repository = provider === 'github' && ofRepository.includes(event) ? maybeRepository(body) : undefined;
    return repository === undefined ? [] : [{ id, repository }];
  });
  if (named.length === 0) return new Set();
  const rows = await database.onceWithOrg<{ id: string }>(orgId, {
    name: 'webhooks.tracked',
    text: ` select r.id from tenant cross join lateral (
              select provider_repo_id as id from repository
              where org_id = tenant.org and provider = 'github' and provider_repo_id = any($2::text[])
                and tracked and removed_at is null offset 0) r`,
    values: [[...new Set(named.map(({ repository }) => repository))]],
  });
  const tracked = new Set(rows.map(({ id }) => id));
  return new Set(named.flatMap(({ id, repository }) => (tracked.has(repository) ? [] : id)));
}

/** Undefined where the payload is not what it should be: its handler says so. */
function maybeRepository(body: string): string | undefined {
  try {
    return repositoryFrom(payloadOf(body)?.repository).id;
  } catch {
    return undefined;
  }
}
