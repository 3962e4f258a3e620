import { isArchived } from '#core/archived.ts';
import { type Doer, record } from '#core/audit.ts';
import { Archived } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { appendFacts } from '../events/commands.ts';
import { raise } from '../notifications/commands.ts';
import { queueOrigins } from '../origins/commands.ts';
import { type Changes, type Matched, matchResults, type Waiting } from './match.ts';
import { scanEvent } from './scan-event.ts';
import { lockFindings, recompute, type Standing } from './status.ts';

interface Row extends Waiting {
  state: string;
  received: number;
  rejections: number;
}

/** Makes findings of the results of a scan, or throws and changes nothing. */
export async function completeScan(services: Services, doer: Doer, orgId: string, id: string): Promise<void> {
  const { database } = services;
  const repositoryId = await database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ id: string }>({
      name: 'scan.matching',
      text: `update scan set state = 'matching', touched_at = clock_timestamp()
             where org_id = $1 and id = $2 and state = 'receiving' returning repository_id as id`,
      values: [orgId, id],
    });
    if (!row) throw new Error('The scan has ended already');
    return row.id;
  });
  tellScan(services, orgId, repositoryId, id);
  await database.withOrg(orgId, async (tx) => {
    const scan = await hold(tx, orgId, id);
    if (await isArchived(tx, orgId)) throw Archived();
    await lockFindings(tx, orgId, [scan.repositoryId]);
    const matched = await matchResults(tx, scan);
    const { changes, touched } = matched;
    const events = await tellOf(services, tx, doer, scan, matched);
    if (changes.new > 0) await queueOrigins(services, tx, orgId, scan.repositoryId);
    await forget(tx, orgId, id);
    // The last step but one row: from here on other scans of the organisation wait for its counts.
    const standing = await recompute(tx, orgId, touched);
    await end(tx, orgId, id, { ...changes, rejected: scan.rejections }, standing);
    await tellPeople(services, tx, doer, scan, standing, events);
    tx.afterCommit(() => {
      const { realtime } = services;
      tellScan(services, orgId, scan.repositoryId, id);
      realtime.tell(orgId, 'orgFindings', { repositoryId: scan.repositoryId });
      realtime.tell(orgId, 'orgRepos', { repositoryId: scan.repositoryId });
    });
  });
}

export const tellScan = (services: Services, orgId: string, repositoryId: string, scanId: string) =>
  services.realtime.tell(orgId, 'orgScans', { repositoryId, scanId });

/** The scan, locked for as long as it is matched: that is the sign that somebody works on it. */
async function hold(tx: Tx, orgId: string, id: string): Promise<Row> {
  const [scan] = await tx.query<Row>({
    name: 'scan.hold',
    text: `select s.org_id as "orgId", s.id, s.repository_id as "repositoryId", s.analysis, s.source, s.tool,
             s.tool_name as "toolName", s.category, s.ref, s.commit_sha as commit, s.complete, s.state, s.received, s.rejections,
             -- What turns from here on rests on this scan.
             set_config('sightline.scan', s.id::text, true)
           from scan s where s.org_id = $1 and s.id = $2 for update`,
    values: [orgId, id],
  });
  if (scan?.state !== 'matching') throw new Error('The scan has ended already');
  const [kept] = await tx.query<{ count: number }>({
    name: 'scan.kept',
    text: 'select count(*)::int as count from scan_result where org_id = $1 and scan_id = $2',
    values: [orgId, id],
  });
  // They do not survive a crash of PostgreSQL; what is missing must not count as fixed.
  if (kept?.count !== scan.received) throw new Error('Results of the scan were lost on the way');
  return scan;
}

async function end(
  tx: Tx,
  orgId: string,
  id: string,
  counts: Changes & { rejected: number },
  { opened, closed }: Standing,
): Promise<void> {
  await tx.query({
    name: 'scan.done',
    text: `update scan set state = 'done', counts = $3, opened = $4, closed = $5, finished_at = clock_timestamp()
           where org_id = $1 and id = $2`,
    values: [orgId, id, JSON.stringify(counts), opened, closed],
  });
}

/** The scan in the timeline and in the audit log; answers its event. A look at alerts that are as they were is neither. */
async function tellOf(services: Services, tx: Tx, doer: Doer, scan: Row, matched: Matched): Promise<string[]> {
  const { changes } = matched;
  const nothing = changes.new + changes.fixed + changes.reopened === 0;
  if (nothing && scan.source !== 'sarif' && scan.source !== 'checkmarx') return [];
  const { added } = await appendFacts(services, tx, scan.orgId, [await scanEvent(tx, doer, scan, matched)]);
  await record(tx, services.people, scan.orgId, doer, {
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
  });
  return [...added];
}

/** Tells whoever wants to know of what is new, and of what weighs more or less than before; once for the whole scan. */
async function tellPeople(
  services: Services,
  tx: Tx,
  doer: Doer,
  { orgId, repositoryId, toolName }: Row,
  { fresh, reweighed }: Standing,
  events: readonly string[],
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
  await raise(services, tx, orgId, doer, [
    ...(any(fresh) ? [{ type: 'finding.new' as const, ...of, tally: fresh }] : []),
    ...(any(reweighed) ? [{ type: 'finding.severity_changed' as const, ...of, tally: reweighed }] : []),
  ]);
}

/** Ends a scan with the reason, unless it has ended. */
export async function endScan(services: Services, orgId: string, id: string, error: string): Promise<void> {
  await services.database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ repositoryId: string }>({
      name: 'scan.fail',
      text: `update scan set state = 'failed', error = $3, finished_at = clock_timestamp()
             where org_id = $1 and id = $2 and state in ('receiving', 'matching') returning repository_id as "repositoryId"`,
      values: [orgId, id, error.slice(0, 2000)],
    });
    await forget(tx, orgId, id);
    if (row) tx.afterCommit(() => tellScan(services, orgId, row.repositoryId, id));
  });
}

async function forget(tx: Tx, orgId: string, id: string): Promise<void> {
  const values = [orgId, id];
  await tx.query({
    name: 'scan.forget',
    text: `with texts as (delete from scan_text where org_id = $1 and scan_id = $2)
           delete from scan_result where org_id = $1 and scan_id = $2`,
    values,
  });
}
