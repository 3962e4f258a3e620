import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import type { ScannerProject } from '@sightline/contract/sources/integrations.ts';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { maybeConnectionRow, type ScannerOf, sealNewWebhookSecret } from './connection-row.ts';
import { maybeScannerProject } from './queries.ts';

/** The reason of a delayed sync. One sync of each kind may wait at a time, so that neither delays the other. */
export type SyncDelay = { until: Date; why: 'busy' | 'retry' };

/** Queues a sync of the newest scans of all projects, or of one project, when this transaction commits. */
export async function queueScannerSync(
  { jobs, realtime }: Services,
  tx: Tx,
  { orgId, scanner }: ScannerOf,
  { projectId, wait }: { projectId?: string | undefined; wait?: SyncDelay } = {},
): Promise<void> {
  if (!wait) {
    await tx.db
      .updateTable('integration')
      .set({ sync_state: 'queued' })
      .where('org_id', '=', orgId)
      .where('name', '=', scanner)
      .where('status', '<>', 'inactive')
      .where('sync_state', '<>', 'running')
      .execute();
  }
  await jobs.enqueue(
    tx,
    'scanner.sync',
    { orgId, scanner, ...(projectId !== undefined && { projectId }) },
    { key: `${orgId} ${scanner} ${projectId ?? ''} ${wait?.why ?? ''}`, ...(wait && { startAfter: wait.until }) },
  );
  tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgIntegrations', { provider: scanner }));
}

/**
 * Generates a new secret for the webhook at a scanner, which the next sync sends. Until then, deliveries with the
 * previous secret are accepted. Returns whether there is a webhook.
 */
export async function rotateWebhookSecret(services: Services, tx: Tx, { orgId, scanner }: ScannerOf): Promise<boolean> {
  const row = await maybeConnectionRow(tx, orgId, scanner, true);
  if (!row?.hook_secret || row.hook_id === null) return false;
  if (row.previous_hook_secret === null || row.previous_hook_until !== null) {
    await tx.db
      .updateTable('integration')
      .set({
        hook_secret: sealNewWebhookSecret(services.secrets, orgId, scanner),
        previous_hook_secret: row.hook_secret,
        previous_hook_until: null,
      })
      .where('org_id', '=', orgId)
      .where('name', '=', scanner)
      .execute();
  }
  await queueScannerSync(services, tx, { orgId, scanner });
  return true;
}

/** Links a project manually to a repository, or to none. */
export const matchProject = (
  services: Services,
  actor: Actor,
  { scanner, projectId }: { scanner: ScannerName; projectId: string },
  repositoryId: string | null,
): Promise<ScannerProject> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId } = actor;
    const before = await tx.db
      .selectFrom('scanner_project')
      .where('org_id', '=', orgId)
      .where('integration', '=', scanner)
      .where('external_id', '=', projectId)
      .where('removed_at', 'is', null)
      .select(['name', 'repository_id', 'matched_by', 'position'])
      .forUpdate()
      .executeTakeFirst();
    if (!before) throw NotFound('Project');
    const repository = repositoryId === null ? null : await findRepository(tx, orgId, repositoryId);
    await moveProject(
      services,
      tx,
      { orgId, scanner },
      { projectId, before, to: { repositoryId, matchedBy: 'manual' } },
    );
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'scanner_project.matched',
        subject: { kind: 'scanner_project', id: projectId },
        data: {
          provider: scanner,
          project: before.name,
          before: { repository: (await maybeFullName(tx, orgId, before.repository_id)) ?? null },
          after: { repository },
        },
      },
    });
    await queueScannerSync(services, tx, { orgId, scanner }, { projectId });
    const after = await maybeScannerProject(tx, { orgId, scanner }, projectId);
    if (!after) throw NotFound('Project');
    return after;
  });

async function findRepository(tx: Tx, orgId: string, id: string): Promise<string> {
  const name = await maybeFullName(tx, orgId, id);
  if (name === undefined) throw NotFound('Repository');
  return name;
}

async function maybeFullName(tx: Tx, orgId: string, id: string | null): Promise<string | undefined> {
  if (id === null) return undefined;
  const row = await tx.db
    .selectFrom('repository')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .select('full_name')
    .executeTakeFirst();
  return row?.full_name;
}

interface ProjectRepository {
  repository_id: string | null;
  position: number;
}

/**
 * Moves a project to another repository: imports its scans there from the beginning, and retires its results in the
 * previous repository.
 */
export async function moveProject(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Tx,
  { orgId, scanner }: ScannerOf,
  {
    projectId,
    before,
    to,
  }: {
    projectId: string;
    before: ProjectRepository;
    to: { repositoryId: string | null; matchedBy: 'url' | 'name' | 'manual' | null };
  },
): Promise<void> {
  const isMoved = before.repository_id !== to.repositoryId;
  const position =
    isMoved && to.repositoryId !== null ? await freePosition(tx, { orgId, scanner }, to.repositoryId) : before.position;
  await tx.db
    .updateTable('scanner_project')
    .set({ repository_id: to.repositoryId, matched_by: to.matchedBy, position })
    .where('org_id', '=', orgId)
    .where('integration', '=', scanner)
    .where('external_id', '=', projectId)
    .execute();
  if (!isMoved) return;
  await tx.db
    .deleteFrom('scanner_branch')
    .where('org_id', '=', orgId)
    .where('integration', '=', scanner)
    .where('external_id', '=', projectId)
    .execute();
  if (before.repository_id === null) return;
  const previous = { orgId, scanner, repositoryId: before.repository_id, place: before.position };
  await jobs.enqueue(tx, 'scanner.retire', previous, { key: `${scanner} ${previous.repositoryId} ` });
}

/** Returns the lowest position that no other project of the scanner has in the repository. */
async function freePosition(tx: Tx, { orgId, scanner }: ScannerOf, repositoryId: string): Promise<number> {
  // Locks the repository, since projects linked concurrently would get the same position.
  await tx.db
    .selectFrom('repository')
    .where('org_id', '=', orgId)
    .where('id', '=', repositoryId)
    .select('id')
    .forUpdate()
    .execute();
  const rows = await tx.db
    .selectFrom('scanner_project')
    .where('org_id', '=', orgId)
    .where('integration', '=', scanner)
    .where('repository_id', '=', repositoryId)
    .select('position')
    .execute();
  const used = new Set(rows.map((row) => row.position));
  let position = 1;
  while (used.has(position)) position += 1;
  return position;
}
