import { type CanonicalValue, canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { SourcedParts } from '../merges.ts';
import type { ChangeParts } from '../parts.ts';
import { addChangeVersion, latestVersionOf, lockChange } from '../records.ts';
import { findRecordedRepository, type RecordedRepository } from '../scope.ts';
import { findMergedPullRequest } from '../stored-facts.ts';
import { observeAgents } from './observe.ts';
import { observedPart } from './part.ts';
import { enqueueReconciliation } from './queue.ts';
import { maybeWork } from './work.ts';

const SESSIONS_PER_BATCH = 100;
// Then another job continues, so that other organizations get their turn and shutdown is quick.
const TURN_MS = 20_000;

/** The job `changes.reconcile-agents`: joins sessions whose telemetry arrived, and changes that were recorded meanwhile. */
export async function processDueSessions(services: Services, orgId: string, changesPerBatch = 500): Promise<void> {
  const started = performance.now();
  const places = new Map<string, RecordedRepository | undefined>();
  for (;;) {
    const { sessions, changes } = await services.database.withOrg(orgId, async (tx) => ({
      sessions: await markChangesOfSessions(tx, orgId),
      changes: await listDueChanges(tx, orgId, changesPerBatch),
    }));
    if (sessions === 0 && changes.length === 0) return;
    for (const { id, repositoryId } of changes) {
      if (services.jobs.stopping.aborted) break;
      if (!places.has(repositoryId)) {
        places.set(repositoryId, await findRecordedRepository(services, orgId, repositoryId));
      }
      const place = places.get(repositoryId);
      await services.database.withOrg(orgId, (tx) => reconcileAgain(services, tx, { orgId, changeId: id, place }));
    }
    if (services.jobs.stopping.aborted || performance.now() - started > TURN_MS) {
      await services.database.withOrg(orgId, (tx) => enqueueReconciliation(services, tx, orgId));
      return;
    }
  }
}

interface DueSession {
  [column: string]: unknown;
  id: string;
  /** The text of the database: a Date has too few digits for an exact match. */
  queuedAt: string;
  /** What connects telemetry: person, agent and days. */
  basis: string;
  isConnecting: boolean;
}

/**
 * Marks every change that queued sessions may be joined to as due, and ends their turn in the same transaction, so that
 * no change is forgotten. A session whose telemetry arrived meanwhile remains queued. Returns the number of sessions.
 */
async function markChangesOfSessions(tx: Tx, orgId: string): Promise<number> {
  const sessions = await tx.query<DueSession>({
    name: 'changes.due-sessions',
    text: `select r.session_id as id, r.queued_at::text as "queuedAt", coalesce(now.basis, r.basis) as basis,
             coalesce(now.basis <> r.basis, false) as "isConnecting"
           from reconciled_session r
           left join lateral (
             select concat_ws(' ', s.person_id, s.agent, s.first_at::date, s.last_at::date) as basis
             from agent_session s where s.org_id = $1 and s.id = r.session_id
           ) now on true
           where r.org_id = $1 and r.queued_at is not null order by r.queued_at limit ${SESSIONS_PER_BATCH}`,
    values: [orgId],
  });
  if (sessions.length === 0) return 0;
  const ids = sessions.map(({ id }) => id);
  const connecting = sessions.filter(({ isConnecting }) => isConnecting).map(({ id }) => id);
  await tx.query({
    name: 'changes.mark-due',
    text: `with s as materialized (
             select id, hashtextextended(vendor_session, 0)::text as key, person_id, repository_id, branch, first_at, last_at
             from agent_session where org_id = $1 and id = any($2::uuid[])
           )
           update change_work due set is_due = true where due.org_id = $1 and not due.is_due and due.change_id in (
             select j.change_id from agent_join j where j.org_id = $1 and j.session_id = any($2::uuid[])
             union select w.change_id from s join change_work w on w.org_id = $1 and w.session_keys @> array[s.key]
             union select w.change_id from agent_touch t join change_work w on w.org_id = $1 and w.commit_keys @> array[left(t.value, 7)]
               where t.org_id = $1 and t.session_id = any($2::uuid[]) and t.kind = 'commit'
             union select w.change_id from s join change_work w on w.org_id = $1 and w.repository_id = s.repository_id
               and w.merged_at >= s.first_at where s.branch = any(w.branches) and w.started_at <= s.last_at + interval '1 day'
             union select w.change_id from s join change_work w on w.org_id = $1 and w.authors @> array[s.person_id]
               where w.merged_at >= s.first_at and w.started_at <= s.last_at + interval '1 day'
             union select w.change_id from s join change_work w on w.org_id = $1 and w.authors @> array[s.person_id]
               where s.id = any($3::uuid[]) and w.merged_at >= s.first_at - interval '30 days'
                 and w.started_at <= s.last_at + interval '30 days'
           )`,
    values: [orgId, ids, connecting],
  });
  await tx.query({
    name: 'changes.finish-sessions',
    text: `update reconciled_session r set basis = d.basis,
             queued_at = case when r.queued_at = d.queued then null else r.queued_at end
           from unnest($2::uuid[], $3::timestamptz[], $4::text[]) as d(id, queued, basis)
           where r.org_id = $1 and r.session_id = d.id`,
    values: [orgId, ids, sessions.map(({ queuedAt }) => queuedAt), sessions.map(({ basis }) => basis)],
  });
  return sessions.length;
}

const listDueChanges = (tx: Tx, orgId: string, most: number): Promise<{ id: string; repositoryId: string }[]> =>
  tx.query<{ id: string; repositoryId: string }>({
    name: 'changes.due-for-sessions',
    text: `select change_id as id, repository_id as "repositoryId" from change_work
           where org_id = $1 and is_due order by change_id limit $2`,
    values: [orgId, most],
  });

/** Reconciles a change, and adds a version of its record if that changes a fact. */
async function reconcileAgain(
  services: Services,
  tx: Tx,
  { orgId, changeId, place }: { orgId: string; changeId: string; place: RecordedRepository | undefined },
): Promise<void> {
  await lockChange(tx, changeId);
  await tx.query({
    name: 'changes.reconciled',
    text: 'update change_work set is_due = false where org_id = $1 and change_id = $2 and is_due',
    values: [orgId, changeId],
  });
  const work = await maybeWork(tx, orgId, changeId);
  const last = await latestVersionOf(tx, orgId, changeId);
  // The changes of an archived organization are reconciled when they are recorded again.
  if (!work || !last || !place) return;
  const known = await observeAgents(tx, orgId, work, { earlier: last.parts.agents, hasTelemetry: true });
  if (contentOf(known) === contentOf(last.parts.agents)) return;
  const { parts, sources } = last;
  const previous = Object.fromEntries(
    Object.entries(parts).map(([name, value]) => [name, { known: value, source: sources[name] }]),
  ) as unknown as SourcedParts;
  const merged =
    last.number === null ? undefined : await findMergedPullRequest(tx, orgId, work.repositoryId, last.number);
  await addChangeVersion(services, tx, place, {
    id: changeId,
    branch: last.branch,
    mergeMethod: last.mergeMethod,
    number: last.number,
    pushId: last.pushId,
    mergedAt: last.merged_at.toISOString(),
    mergeSha: last.merge_sha,
    headSha: last.head_sha,
    parts: { ...previous, agents: observedPart(known) },
    protectionId: null,
    cause: 'session',
    author: merged?.authorPerson ?? null,
    title: merged?.title ?? null,
  });
}

/** Without the marks of linked persons, which a version adds. */
const contentOf = (agents: ChangeParts['agents'] | undefined): string =>
  canonicalJson(
    JSON.parse(JSON.stringify(agents ?? null), (key, value: unknown) =>
      key === 'sameAs' ? undefined : value,
    ) as CanonicalValue,
  );
