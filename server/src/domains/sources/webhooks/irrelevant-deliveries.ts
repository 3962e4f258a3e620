import type { Database } from '#database/database.ts';
import { repositoryFrom } from '#providers/github/shapes.ts';
import type { Delivery } from './delivery.ts';
import { parsePayload } from './payload.ts';

// The handlers of these events do nothing if the repository is not enabled.
const repositoryEvents: readonly string[] = ['pull_request', 'pull_request_review'];
// After these events, other repositories may be enabled.
const selectionEvents: readonly string[] = ['installation', 'installation_repositories', 'repository'];

/**
 * The IDs of deliveries that only concern repositories that are not enabled, determined with one query. If a repository
 * is enabled in the meantime, its import includes their changes.
 */
export async function irrelevantDeliveries(
  database: Pick<Database, 'onceWithOrg'>,
  orgId: string,
  deliveries: readonly Delivery[],
): Promise<ReadonlySet<string>> {
  if (deliveries.some(({ event }) => selectionEvents.includes(event))) return new Set();
  const named = deliveries.flatMap(({ provider, id, event, body }) => {
    const repository = provider === 'github' && repositoryEvents.includes(event) ? maybeRepository(body) : undefined;
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

/** Undefined for an invalid payload, which its handler reports. */
function maybeRepository(body: string): string | undefined {
  try {
    return repositoryFrom(parsePayload(body)?.repository).id;
  } catch {
    return undefined;
  }
}
