import { isArchived } from '#core/archived.ts';
import type { Services } from '#core/services.ts';
import type { CodeHost } from '#providers/code-host.ts';
import type { HostRef } from '../../../providers/host-facts.ts';

/** A repository with a completed import, whose later changes arrive by webhook. */
export interface ReconciledRepository {
  orgId: string;
  repositoryId: string;
  provider: string;
  host: CodeHost;
  ref: HostRef;
  branch: string;
}

/** Undefined if the repository is disabled, removed or not fully imported, or the organization is archived. */
export async function maybeReconciledRepository(
  services: Services,
  orgId: string,
  repositoryId: string,
): Promise<ReconciledRepository | undefined> {
  const row = await services.database.withOrg(orgId, async (tx) => {
    if (await isArchived(tx, orgId)) return undefined;
    return tx.db
      .selectFrom('repository as r')
      .innerJoin('repository_import as i', (join) =>
        join.onRef('i.org_id', '=', 'r.org_id').onRef('i.repository_id', '=', 'r.id'),
      )
      .where('r.org_id', '=', orgId)
      .where('r.id', '=', repositoryId)
      .where('r.tracked', '=', true)
      .where('r.removed_at', 'is', null)
      .where('i.state', '=', 'done')
      .select(['r.provider', 'r.installation_id', 'r.owner', 'r.name', 'r.default_branch'])
      .executeTakeFirst();
  });
  if (!row) return undefined;
  const { provider, installation_id: installationId, owner, name, default_branch: branch } = row;
  const host = await services.codeHosts.maybe(orgId, provider, installationId);
  return host && { orgId, repositoryId, provider, host, ref: { installationId, owner, name }, branch };
}
