import { isArchived } from '#core/archived.ts';
import type { Services } from '#core/services.ts';
import type { CodeHost } from '#providers/code-host.ts';
import type { HostRef } from '../../../../providers/host-facts.ts';
import { DETECTOR_VERSION } from '../detect/detect.ts';

export interface ToolScanKey {
  orgId: string;
  repositoryId: string;
}

/** A repository whose tools are recorded. */
export interface ScannedRepository extends ToolScanKey {
  services: Services;
  provider: string;
  fullName: string;
  url: string;
}

/** A repository to scan for tools, with the results of its last scan. */
export interface RepositoryScan extends ScannedRepository {
  host: CodeHost;
  ref: HostRef;
  branch: string;
  /** The blob hash of each file that was read, by path; empty after detection rules changed. */
  files: ReadonlyMap<string, string>;
}

/** Undefined if the repository is not enabled or not accessible, and in an archived organization. */
export async function maybeRepositoryScan(
  services: Services,
  { orgId, repositoryId }: ToolScanKey,
): Promise<RepositoryScan | undefined> {
  const row = await services.database.withOrg(orgId, async (tx) => {
    if (await isArchived(tx, orgId)) return undefined;
    return tx.db
      .selectFrom('repository as r')
      .innerJoin('tool_scan as s', (join) =>
        join.onRef('s.org_id', '=', 'r.org_id').onRef('s.repository_id', '=', 'r.id'),
      )
      .where('r.org_id', '=', orgId)
      .where('r.id', '=', repositoryId)
      .where('r.tracked', '=', true)
      .where('r.removed_at', 'is', null)
      .select(['r.provider', 'r.installation_id', 'r.owner', 'r.name', 'r.full_name', 'r.html_url', 'r.default_branch'])
      .select(['s.files', 's.rules'])
      .executeTakeFirst();
  });
  const host = row && (await services.codeHosts.maybe(orgId, row.provider, row.installation_id));
  if (!host) return undefined;
  const files = row.rules === DETECTOR_VERSION ? Object.entries(row.files as Record<string, string>) : [];
  return {
    services,
    orgId,
    repositoryId,
    host,
    provider: row.provider,
    branch: row.default_branch,
    fullName: row.full_name,
    url: row.html_url,
    files: new Map(files),
    ref: { installationId: row.installation_id, owner: row.owner, name: row.name },
  };
}

interface Progress {
  state: 'queued' | 'running' | 'done' | 'failed';
  error?: string | null;
  commit_sha?: string | null;
  scanned_at?: Date;
}

/** Stores the progress of a scan and sends change notices. */
export function saveToolScanProgress(
  services: Services,
  { orgId, repositoryId }: ToolScanKey,
  progress: Progress,
): Promise<void> {
  return services.database.withOrg(orgId, async (tx) => {
    await tx.db
      .updateTable('tool_scan')
      .set({ ...progress, updated_at: new Date() })
      .where('org_id', '=', orgId)
      .where('repository_id', '=', repositoryId)
      .execute();
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgTools', {}));
  });
}
