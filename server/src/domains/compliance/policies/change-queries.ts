import type {
  PolicyChange,
  PolicyContent,
  PolicyMode,
  PolicyVersion,
} from '@sightline/contract/compliance/policies.ts';
import { type PolicyChangesQuery, SOLE_APPROVER_DAYS } from '@sightline/contract/compliance/policy-changes.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import { canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';
import { hadOtherMemberWith } from '../../organization/members/queries.ts';
import type { PolicyDraft } from './policy-rules.ts';
import { activePolicies, MAX_NAMED_REPOSITORIES, namedRepositories } from './queries.ts';
import { weakeningsOfTransition } from './transition.ts';

/** Lists the pending or the decided changes of policies. */
export async function listPolicyChanges(
  tx: Tx,
  actor: Actor,
  query: PolicyChangesQuery,
): Promise<Page<PolicyChange[]>> {
  const direction = query.sort === 'requested-desc' ? 'desc' : 'asc';
  const { rows, total } = await fetchPage(
    selectChanges(tx, actor.orgId)
      .where('c.decision', query.view === 'pending' ? 'is' : 'is not', null)
      .$if(query.policyId !== undefined, (q) => q.where('c.policy_id', '=', query.policyId ?? ''))
      .$if(query.search !== '', (q) => q.where((eb) => containsText(eb.ref('c.name'), query.search)))
      .orderBy('c.requested_at', direction)
      .orderBy('c.id', direction),
    query,
  );
  return { total, rows: await changesOf(tx, actor, rows) };
}

/** Returns one change. Throws 404. */
export async function findPolicyChange(tx: Tx, actor: Actor, id: string): Promise<PolicyChange> {
  const rows = await selectChanges(tx, actor.orgId).where('c.id', '=', id).execute();
  const [change] = await changesOf(tx, actor, rows);
  if (!change) throw NotFound('Change');
  return change;
}

/** Whether only the actor could approve a change recently, and so may approve their own request. */
export const isSoleApprover = async (tx: Tx, actor: Actor): Promise<boolean> =>
  !(await hadOtherMemberWith(tx, actor, 'approve:exceptions', SOLE_APPROVER_DAYS));

const selectChanges = ({ db }: Tx, orgId: string) =>
  db
    .selectFrom('policy_change as c')
    .leftJoin('policy as p', (join) =>
      join
        .onRef('p.org_id', '=', 'c.org_id')
        .onRef('p.id', '=', 'c.policy_id')
        .onRef('p.version', '=', 'c.base_version'),
    )
    .where('c.org_id', '=', orgId)
    .select(['c.id', 'c.policy_id', 'c.action', 'c.base_version', 'c.name', 'c.proposed', 'c.weakened', 'c.decision'])
    .select(['c.requested_by', 'c.requested_at', 'c.decided_by', 'c.decided_at', 'c.reason', 'c.self_approved'])
    .select(['p.name as base_name', 'p.mode', 'p.kind', 'p.scope', 'p.settings', 'p.valid_until'])
    .select((eb) => [
      eb.selectFrom('visible_account as a').whereRef('a.id', '=', 'c.requested_by').select('a.name').as('requester'),
      eb.selectFrom('visible_account as a').whereRef('a.id', '=', 'c.decided_by').select('a.name').as('decider'),
      eb
        .selectFrom('policy as later')
        .whereRef('later.org_id', '=', 'c.org_id')
        .whereRef('later.id', '=', 'c.policy_id')
        .whereRef('later.version', '>', 'c.base_version')
        .select(sql<boolean>`true`.as('found'))
        .limit(1)
        .as('is_superseded'),
    ]);

type ChangeRow = Awaited<ReturnType<ReturnType<typeof selectChanges>['execute']>>[number];

const personOf = (id: string, name: string | null) => ({ id, name: name ?? 'Former member' });

const contentOf = (row: ChangeRow): PolicyContent => ({
  name: row.base_name ?? '',
  mode: row.mode as PolicyMode,
  kind: row.kind as PolicyContent['kind'],
  scope: row.scope as unknown as PolicyContent['scope'],
  settings: row.settings as unknown as PolicyContent['settings'],
});

async function changesOf(tx: Tx, actor: Actor, rows: readonly ChangeRow[]): Promise<PolicyChange[]> {
  if (rows.length === 0) return [];
  const hasPending = rows.some(({ decision }) => decision === null);
  const active = hasPending ? await activePolicies(tx, actor.orgId) : [];
  const isSole = hasPending && actor.reach('approve:exceptions') !== undefined && (await isSoleApprover(tx, actor));
  const changes = rows.map((row) => {
    const before = row.action === 'update' || row.action === 'archive' ? contentOf(row) : null;
    const after = row.proposed === null ? null : ({ ...(row.proposed as object), name: row.name } as PolicyContent);
    return {
      row,
      before,
      after,
      repositories: new Set([before, after].flatMap((one) => one?.scope.repositories ?? [])),
    };
  });
  const named = await namedRepositories(
    tx,
    actor,
    changes.flatMap(({ repositories }) => [...repositories]),
  );
  return changes.map(({ row, before, after, repositories }) => {
    const isPending = row.decision === null;
    const outdated = isPending ? outdatedReason(active, row, after) : null;
    return {
      id: row.id,
      policyId: row.policy_id,
      name: row.name,
      action: row.action as PolicyChange['action'],
      state: (row.decision ?? 'pending') as PolicyChange['state'],
      before,
      after,
      weakened: row.weakened as unknown as PolicyChange['weakened'],
      repositories: named.filter(({ id }) => repositories.has(id)).slice(0, MAX_NAMED_REPOSITORIES),
      requestedBy: personOf(row.requested_by, row.requester),
      requestedAt: row.requested_at.toISOString(),
      decidedBy: row.decided_by === null ? null : personOf(row.decided_by, row.decider),
      decidedAt: row.decided_at?.toISOString() ?? null,
      reason: row.reason,
      selfApproved: row.self_approved,
      outdated,
      allowed: allowedActions(actor, { isPending, isOwn: row.requested_by === actor.accountId, isSole, outdated }),
    };
  });
}

/** The actions that the actor may take. The commands check the same conditions again. */
function allowedActions(
  actor: Actor,
  {
    isPending,
    isOwn,
    isSole,
    outdated,
  }: { isPending: boolean; isOwn: boolean; isSole: boolean; outdated: string | null },
): PolicyChange['allowed'] {
  const decides = isPending && !actor.archived && actor.reach('approve:exceptions') !== undefined;
  return {
    approve: decides && outdated === null && (!isOwn || isSole),
    reject: decides && !isOwn,
    withdraw: isPending && isOwn && !actor.archived && actor.reach('write:policies') !== undefined,
  };
}

/**
 * Returns why a pending change cannot be approved any more: its policy has another version, or beside the other policies
 * it would weaken something else than was requested.
 */
function outdatedReason(
  active: readonly PolicyVersion[],
  row: Pick<ChangeRow, 'action' | 'policy_id' | 'base_version' | 'weakened' | 'valid_until' | 'is_superseded'>,
  after: PolicyContent | null,
): string | null {
  const endedMeanwhile = row.action !== 'create' && row.action !== 'restore' && row.valid_until !== null;
  if (row.is_superseded || endedMeanwhile) return 'The policy was changed after this request.';
  const transition = {
    id: row.policy_id,
    base: row.base_version,
    draft: (after ?? undefined) as PolicyDraft | undefined,
  };
  const weakened = weakeningsOfTransition(active, transition);
  if (canonicalJson(weakened) === canonicalJson(row.weakened as never)) return null;
  return 'Other policies were changed after this request, so that it would weaken other settings.';
}
