import { maybeScanSource } from '@sightline/contract/core/scan-sources.ts';
import { isArchived } from '#core/archived.ts';
import { type AuditActor, recordAuditEntry } from '#core/audit.ts';
import { Archived, Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { appendFacts } from '../../timeline/events/commands.ts';
import { queueOriginSearch } from '../origins/commands.ts';
import type { CreatedChanges } from './create-findings.ts';
import { type MatchOutcome, matchResults, type ScanChanges } from './match.ts';
import { createScanEvent } from './scan-event.ts';
import type { StagedScan } from './staged-scan.ts';
import { deleteStagedResults } from './staging.ts';
import { lockFindings, recomputeFindings, type StatusChanges } from './status.ts';

interface FinishingScan extends StagedScan {
  state: string;
  received: number;
  rejections: number;
}

/**
 * Matches the results of scans of one repository to findings in one transaction. Throws and changes nothing on an
 * error.
 */
export async function completeScans(
  services: Services,
  actor: AuditActor,
  orgId: string,
  { ids, attempt }: { ids: readonly string[]; attempt: number },
): Promise<void> {
  const { database, realtime } = services;
  const repositoryId = await database.withOrg(orgId, async (tx) => {
    const rows = await tx.query<{ id: string }>({
      name: 'scans.matching',
      text: `update scan set state = 'matching', touched_at = clock_timestamp()
             where org_id = $1 and id = any($2::uuid[]) and state = 'receiving' and attempt = $3 returning repository_id as id`,
      values: [orgId, ids, attempt],
    });
    const [row] = rows;
    if (!row || rows.length < ids.length) throw new Error('The scan has ended already');
    return row.id;
  });
  const sendNotices = () => {
    for (const id of ids) sendScanNotice(services, orgId, repositoryId, id);
  };
  sendNotices();
  await database.withOrg(orgId, async (tx) => {
    const scans = await lockScans(tx, orgId, ids);
    if (await isArchived(tx, orgId)) throw Archived();
    await lockFindings(tx, orgId, [repositoryId]);
    for (const scan of scans) await completeScan(services, tx, actor, scan);
    tx.afterCommit(() => {
      sendNotices();
      realtime.notifyOrganization(orgId, 'orgFindings', { repositoryId });
      realtime.notifyOrganization(orgId, 'orgRepos', { repositoryId });
    });
  });
}

/** Matches the results of a locked scan to findings, in a transaction that holds `lockFindings`. */
async function completeScan(services: Services, tx: Tx, actor: AuditActor, scan: FinishingScan): Promise<void> {
  const { orgId, id, repositoryId } = scan;
  await expectAllResults(tx, scan);
  const matched = await matchResults(tx, scan);
  const { changes, touched, createdChanges } = matched;
  const events = await recordScan(services, tx, { actor, scan, matched });
  if (changes.new > 0) await queueOriginSearch(services, tx, orgId, { repositoryId });
  await deleteStagedResults(tx, orgId, [id]);
  // Near the end of the transaction: from here on other scans of the organization wait for its counts.
  const statusChanges = addCreated(await recomputeFindings(tx, orgId, touched), createdChanges);
  await markDone(tx, orgId, { id, counts: { ...changes, rejected: scan.rejections }, statusChanges });
  await notifyMembers(services, tx, { actor, finishingScan: scan, statusChanges, events });
}

const addCreated = (changes: StatusChanges, { opened, fresh }: CreatedChanges): StatusChanges => ({
  ...changes,
  opened: changes.opened + opened,
  fresh: changes.fresh.map((count, severity) => count + (fresh[severity] ?? 0)) as StatusChanges['fresh'],
});

export const sendScanNotice = (services: Services, orgId: string, repositoryId: string, scanId: string) =>
  services.realtime.notifyOrganization(orgId, 'orgScans', { repositoryId, scanId });

/**
 * Locks scans and returns them in the order of `ids`. The lock shows other processes that the scans are being matched.
 */
async function lockScans(tx: Tx, orgId: string, ids: readonly string[]): Promise<FinishingScan[]> {
  const rows = await tx.query<FinishingScan>({
    name: 'scans.hold',
    text: `select s.org_id as "orgId", s.id, s.repository_id as "repositoryId", s.analysis, s.source, s.tool,
             s.tool_name as "toolName", s.category, s.ref, s.commit_sha as commit, s.complete, s.state, s.received, s.rejections
           from scan s where s.org_id = $1 and s.id = any($2::uuid[]) order by array_position($2::uuid[], s.id) for update`,
    values: [orgId, ids],
  });
  if (rows.length < ids.length || rows.some(({ state }) => state !== 'matching'))
    throw new Error('The scan has ended already');
  return rows;
}

/** Staged results do not survive a crash of PostgreSQL; lost results must not count as fixed. */
async function expectAllResults(tx: Tx, scan: FinishingScan): Promise<void> {
  const [kept] = await tx.query<{ count: number }>({
    name: 'scan.kept',
    text: `select count(*)::int as count,
             -- Status changes from here on are attributed to this scan.
             set_config('sightline.scan', $2::uuid::text, true)
           from scan_result where org_id = $1 and scan_id = $2::uuid`,
    values: [scan.orgId, scan.id],
  });
  if (kept?.count !== scan.received) throw new Error('Results of the scan were lost');
}

async function markDone(
  tx: Tx,
  orgId: string,
  {
    id,
    counts,
    statusChanges: { opened, closed },
  }: { id: string; counts: ScanChanges & { rejected: number }; statusChanges: StatusChanges },
): Promise<void> {
  await tx.query({
    name: 'scan.done',
    text: `update scan set state = 'done', counts = $3, opened = $4, closed = $5, finished_at = clock_timestamp()
           where org_id = $1 and id = $2`,
    values: [orgId, id, JSON.stringify(counts), opened, closed],
  });
}

/**
 * Records a scan in the timeline and in the audit log and returns its event IDs. Skips an import of alerts without
 * changes.
 */
async function recordScan(
  services: Services,
  tx: Tx,
  { actor, scan, matched }: { actor: AuditActor; scan: FinishingScan; matched: MatchOutcome },
): Promise<string[]> {
  const { changes } = matched;
  const isUnchanged = changes.new + changes.fixed + changes.reopened === 0;
  if (isUnchanged && maybeScanSource(scan.source)?.via === 'alerts') return [];
  const { added } = await appendFacts(services, tx, scan.orgId, [await createScanEvent(tx, actor, scan, matched)]);
  await recordAuditEntry(tx, {
    people: services.people,
    orgId: scan.orgId,
    actor,
    entry: {
      action: 'scan.imported',
      subject: { kind: 'repository', id: scan.repositoryId },
      data: {
        scan: scan.id,
        source: scan.source,
        tool: scan.toolName,
        ref: scan.ref,
        commit: scan.commit,
        received: scan.received,
        rejected: scan.rejections,
        ...changes,
      },
    },
  });
  return [...added];
}

/** Notifies members of new findings and of findings whose severity changed, once for the entire scan. */
async function notifyMembers(
  services: Services,
  tx: Tx,
  {
    actor,
    finishingScan: { orgId, repositoryId, toolName },
    statusChanges: { fresh, reweighed },
    events,
  }: { actor: AuditActor; finishingScan: FinishingScan; statusChanges: StatusChanges; events: readonly string[] },
): Promise<void> {
  const any = (counts: readonly number[]) => counts.some((count) => count > 0);
  if (!any(fresh) && !any(reweighed)) return;
  const { full_name: name } = await tx.db
    .selectFrom('repository')
    .select('full_name')
    .where('org_id', '=', orgId)
    .where('id', '=', repositoryId)
    .executeTakeFirstOrThrow();
  const subject = { repository: { id: repositoryId, name }, tool: toolName, events };
  await raiseNotifications(services, tx, orgId, {
    actor,
    notifications: [
      ...(any(fresh) ? [{ type: 'finding.new' as const, ...subject, tally: fresh }] : []),
      ...(any(reweighed) ? [{ type: 'finding.severity_changed' as const, ...subject, tally: reweighed }] : []),
    ],
  });
}

/**
 * Marks scans as failed unless they have ended, and deletes their results. Shows users the message of a `Refusal` or a
 * text; any other error is only logged.
 */
export async function endScans(
  services: Services,
  orgId: string,
  ids: readonly string[],
  reason: unknown,
): Promise<void> {
  const userMessage = typeof reason === 'string' ? reason : reason instanceof Refusal ? reason.message : undefined;
  if (userMessage === undefined) services.log.error({ err: reason, scans: ids }, 'scan failed');
  await services.database.withOrg(orgId, async (tx) => {
    const rows = await tx.query<{ id: string; repositoryId: string }>({
      name: 'scans.fail',
      text: `update scan set state = 'failed', error = $3, finished_at = clock_timestamp()
             where org_id = $1 and id = any($2::uuid[]) and state in ('receiving', 'matching')
             returning id, repository_id as "repositoryId"`,
      values: [orgId, ids, (userMessage ?? INTERNAL_ERROR).slice(0, 2000)],
    });
    await deleteStagedResults(tx, orgId, ids);
    tx.afterCommit(() => {
      for (const { id, repositoryId } of rows) sendScanNotice(services, orgId, repositoryId, id);
    });
  });
}

const INTERNAL_ERROR = 'An internal error occurred and nothing was imported. Upload it again.';
