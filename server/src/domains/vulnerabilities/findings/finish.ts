import { isArchived } from '#core/archived.ts';
import { type Doer, record } from '#core/audit.ts';
import { Archived, Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raise } from '../../delivery/notifications/commands.ts';
import { appendFacts } from '../../timeline/events/commands.ts';
import { queueOrigins } from '../origins/commands.ts';
import { type Changes, type Matched, matchResults } from './match.ts';
import { scanEvent } from './scan-event.ts';
import type { StagedScan } from './staged-scan.ts';
import { forgetResults } from './staging.ts';
import { lockFindings, recompute, type StatusChanges } from './status.ts';

interface FinishingScan extends StagedScan {
  state: string;
  received: number;
  rejections: number;
}

/** Makes findings of the results of scans of one repository in one transaction, or throws and changes nothing. */
export async function completeScans(
  services: Services,
  doer: Doer,
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
  const tell = () => {
    for (const id of ids) tellScan(services, orgId, repositoryId, id);
  };
  tell();
  await database.withOrg(orgId, async (tx) => {
    const scans = await hold(tx, orgId, ids);
    if (await isArchived(tx, orgId)) throw Archived();
    await lockFindings(tx, orgId, [repositoryId]);
    for (const scan of scans) await complete(services, tx, doer, scan);
    tx.afterCommit(() => {
      tell();
      realtime.tell(orgId, 'orgFindings', { repositoryId });
      realtime.tell(orgId, 'orgRepos', { repositoryId });
    });
  });
}

/** Makes findings of the results of a held scan, in the transaction that has asked for `lockFindings`. */
async function complete(services: Services, tx: Tx, doer: Doer, scan: FinishingScan): Promise<void> {
  const { orgId, id, repositoryId } = scan;
  await expectAllResults(tx, scan);
  const matched = await matchResults(tx, scan);
  const { changes, touched } = matched;
  const events = await tellOf(services, tx, { doer, scan, matched });
  if (changes.new > 0) await queueOrigins(services, tx, orgId, { repositoryId });
  await forgetResults(tx, orgId, [id]);
  // The last step but one row: from here on other scans of the organization wait for its counts.
  const standing = await recompute(tx, orgId, touched);
  await end(tx, orgId, { id, counts: { ...changes, rejected: scan.rejections }, statusChanges: standing });
  await tellPeople(services, tx, { doer, finishingScan: scan, statusChanges: standing, events });
}

export const tellScan = (services: Services, orgId: string, repositoryId: string, scanId: string) =>
  services.realtime.tell(orgId, 'orgScans', { repositoryId, scanId });

/** The scans in the order asked for, locked for as long as they are matched: that is the sign that a process works on them. */
async function hold(tx: Tx, orgId: string, ids: readonly string[]): Promise<FinishingScan[]> {
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

/** Staged results do not survive a crash of PostgreSQL; what is missing must not count as fixed. */
async function expectAllResults(tx: Tx, scan: FinishingScan): Promise<void> {
  const [kept] = await tx.query<{ count: number }>({
    name: 'scan.kept',
    text: `select count(*)::int as count,
             -- What turns from here on rests on this scan.
             set_config('sightline.scan', $2::uuid::text, true)
           from scan_result where org_id = $1 and scan_id = $2::uuid`,
    values: [scan.orgId, scan.id],
  });
  if (kept?.count !== scan.received) throw new Error('Results of the scan were lost');
}

async function end(
  tx: Tx,
  orgId: string,
  {
    id,
    counts,
    statusChanges: { opened, closed },
  }: { id: string; counts: Changes & { rejected: number }; statusChanges: StatusChanges },
): Promise<void> {
  await tx.query({
    name: 'scan.done',
    text: `update scan set state = 'done', counts = $3, opened = $4, closed = $5, finished_at = clock_timestamp()
           where org_id = $1 and id = $2`,
    values: [orgId, id, JSON.stringify(counts), opened, closed],
  });
}

/** The scan in the timeline and in the audit log; answers its event. A look at alerts that are as they were is neither. */
async function tellOf(
  services: Services,
  tx: Tx,
  { doer, scan, matched }: { doer: Doer; scan: FinishingScan; matched: Matched },
): Promise<string[]> {
  const { changes } = matched;
  const nothing = changes.new + changes.fixed + changes.reopened === 0;
  if (nothing && scan.source !== 'sarif' && scan.source !== 'checkmarx') return [];
  const { added } = await appendFacts(services, tx, scan.orgId, [await scanEvent(tx, doer, scan, matched)]);
  await record(tx, {
    people: services.people,
    orgId: scan.orgId,
    doer,
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

/** Tells whoever wants to know of what is new, and of what weighs more or less than before; once for the whole scan. */
async function tellPeople(
  services: Services,
  tx: Tx,
  {
    doer,
    finishingScan: { orgId, repositoryId, toolName },
    statusChanges: { fresh, reweighed },
    events,
  }: { doer: Doer; finishingScan: FinishingScan; statusChanges: StatusChanges; events: readonly string[] },
): Promise<void> {
  const any = (counts: readonly number[]) => counts.some((count) => count > 0);
  if (!any(fresh) && !any(reweighed)) return;
  const { full_name: name } = await tx.db
    .selectFrom('repository')
    .select('full_name')
    .where('org_id', '=', orgId)
    .where('id', '=', repositoryId)
    .executeTakeFirstOrThrow();
  const of = { repository: { id: repositoryId, name }, tool: toolName, events };
  await raise(services, tx, orgId, {
    doer,
    news: [
      ...(any(fresh) ? [{ type: 'finding.new' as const, ...of, tally: fresh }] : []),
      ...(any(reweighed) ? [{ type: 'finding.severity_changed' as const, ...of, tally: reweighed }] : []),
    ],
  });
}

/**
 * Ends scans that could not be imported, unless they have ended: nothing of them stays but their rows, with the reason. A
 * refusal and a text are for people and are shown; of any other error only the log tells more.
 */
export async function endScans(
  services: Services,
  orgId: string,
  ids: readonly string[],
  reason: unknown,
): Promise<void> {
  const said = typeof reason === 'string' ? reason : reason instanceof Refusal ? reason.message : undefined;
  if (said === undefined) services.log.error({ err: reason, scans: ids }, 'scan failed');
  await services.database.withOrg(orgId, async (tx) => {
    const rows = await tx.query<{ id: string; repositoryId: string }>({
      name: 'scans.fail',
      text: `update scan set state = 'failed', error = $3, finished_at = clock_timestamp()
             where org_id = $1 and id = any($2::uuid[]) and state in ('receiving', 'matching')
             returning id, repository_id as "repositoryId"`,
      values: [orgId, ids, (said ?? unexpected).slice(0, 2000)],
    });
    await forgetResults(tx, orgId, ids);
    tx.afterCommit(() => {
      for (const { id, repositoryId } of rows) tellScan(services, orgId, repositoryId, id);
    });
  });
}

const unexpected = 'An internal error occurred and nothing was imported. Upload it again.';
