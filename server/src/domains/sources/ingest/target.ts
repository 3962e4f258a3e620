import type { Provider } from '@sightline/contract/core/providers.ts';
import { Archived } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';

/** An enabled repository that data is imported into. */
export interface IngestRepository {
  id: string;
  provider: Provider;
  fullName: string;
  url: string;
}

/** Finds an enabled repository; undefined if it is not enabled. Throws Archived in an archived organization. */
export async function maybeEnabledRepository(
  tx: Tx,
  orgId: string,
  repositoryId: string,
): Promise<IngestRepository | undefined> {
  const row = await tx.db
    .selectFrom('repository as r')
    .innerJoin('organization as o', 'o.id', 'r.org_id')
    .where('r.org_id', '=', orgId)
    .where('r.id', '=', repositoryId)
    .where('r.tracked', '=', true)
    .select(['r.id', 'r.provider', 'r.full_name as fullName', 'r.html_url as url', 'o.archived_at as archivedAt'])
    .executeTakeFirst();
  if (!row) return undefined;
  const { archivedAt, ...target } = row;
  if (archivedAt !== null) throw Archived();
  return target as IngestRepository;
}
