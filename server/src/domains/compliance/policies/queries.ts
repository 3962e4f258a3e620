import {
  type PoliciesQuery,
  type Policy,
  type PolicyDetail,
  type PolicyKind,
  type PolicyKindDefinition,
  type PolicyMode,
  type PolicyScope,
  type PolicySettings,
  type PolicyVersion,
  policyKinds,
} from '@sightline/contract/compliance/policies.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { Provider } from '@sightline/contract/core/providers.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import { entriesById, type LedgerSize, resolveLedgerSize } from '#core/ledger-size.ts';
import { isRecordedAt, type RecordedTables, withRecordedTables } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';
import { visibleRepositories } from '../../organization/repository-access/queries.ts';
import { definitionOf } from '../controls/catalog.ts';
import { controlsOfKind } from './kinds.ts';

/** Lists every policy kind with its parameters, in the order of the catalog. */
export const listKinds = (): PolicyKindDefinition[] =>
  policyKinds.map((kind) => ({
    kind,
    controls: controlsOfKind[kind].map((control) => {
      const { id, title, rule, parameters } = definitionOf(control);
      return { id, title, rule, parameters };
    }),
  }));

const selectVersions = ({ db }: Pick<Tx, 'db'>, orgId: string) =>
  db
    .selectFrom('policy as p')
    .where('p.org_id', '=', orgId)
    .select(['p.id', 'p.version', 'p.name', 'p.kind', 'p.scope', 'p.settings', 'p.mode', 'p.valid_from'])
    .select(['p.valid_until', 'p.author', 'p.entry_id', 'p.ended_entry_id'])
    // A subquery per row, because there are few policies and many accounts.
    .select((eb) =>
      eb.selectFrom('visible_account as a').whereRef('a.id', '=', 'p.author').select('a.name').as('author_name'),
    )
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('policy_change as c')
            .whereRef('c.org_id', '=', 'p.org_id')
            .whereRef('c.policy_id', '=', 'p.id')
            .where('c.decision', 'is', null),
        )
        .as('has_pending_change'),
    );

// The newest version of each policy, active or archived.
const newest = sql<boolean>`not exists (
  select from policy later where later.org_id = p.org_id and later.id = p.id and later.version > p.version)`;

const sorts = {
  'name-asc': [sql<string>`lower(p.name)`, 'asc'],
  'name-desc': [sql<string>`lower(p.name)`, 'desc'],
  'date-desc': [sql<Date>`p.valid_from`, 'desc'],
  'date-asc': [sql<Date>`p.valid_from`, 'asc'],
} as const;

/** Lists one page of active or archived policies, now or at a ledger size. */
export async function listPolicies(tx: Tx, actor: Actor, query: PoliciesQuery): Promise<Page<Policy[]>> {
  const { orgId } = actor;
  const size = query.ledgerSize === undefined ? undefined : await resolveLedgerSize(tx, orgId, query.ledgerSize);
  const [order, direction] = sorts[query.sort];
  const { rows, total } = await fetchPage(
    selectVersions({ db: size ? withRecordedTables(tx.db, recordedPolicies(orgId, size)) : tx.db }, orgId)
      .$if(query.state === 'held', (q) => q.where('p.valid_until', 'is', null))
      .$if(query.state === 'ended', (q) => q.where('p.valid_until', 'is not', null).where(newest))
      .$if(query.search !== '', (q) => q.where((eb) => containsText(eb.ref('p.name'), query.search)))
      .$if(query.kinds.length > 0, (q) => q.where('p.kind', 'in', query.kinds))
      .$if(query.modes.length > 0, (q) => q.where('p.mode', 'in', query.modes))
      .orderBy(order, direction)
      .orderBy('p.id', direction),
    query,
  );
  const policies = await policiesOf(tx, actor, rows);
  return { total, rows: size ? await withEvidence(tx, orgId, size, { rows, policies }) : policies };
}

/** Versions at a ledger size. A version that was replaced or archived later is still active there. */
const recordedPolicies = (orgId: string, size: LedgerSize): RecordedTables => ({
  policy: sql<Record<string, unknown>>`
    select p.org_id, p.id, p.version, p.name, p.kind, p.scope, p.settings, p.mode, p.valid_from, p.author, p.entry_id,
      case when ended.is_recorded then p.valid_until end as valid_until,
      case when ended.is_recorded then p.ended_entry_id end as ended_entry_id
    from policy p cross join lateral (select ${isRecordedAt(size, 'p', 'ended_entry_id')} as is_recorded) ended
    where p.org_id = ${orgId} and ${isRecordedAt(size, 'p')}`,
  policy_change: sql<Record<string, unknown>>`
    select c.org_id, c.policy_id, case when ${isRecordedAt(size, 'c', 'decided_entry_id')} then c.decision end as decision
    from policy_change c where c.org_id = ${orgId} and ${isRecordedAt(size, 'c')}`,
});

/** Adds the ledger entry of each version. The past permits no action. */
async function withEvidence(
  tx: Tx,
  orgId: string,
  size: LedgerSize,
  { rows, policies }: { rows: readonly PolicyRow[]; policies: readonly Policy[] },
): Promise<Policy[]> {
  const entryOf = (row: PolicyRow | undefined) => row?.ended_entry_id ?? row?.entry_id ?? null;
  const entries = await entriesById(tx, orgId, size, rows.map(entryOf));
  return policies.map((policy, index) => ({
    ...policy,
    allowed: { change: false, delete: false, restore: false },
    recorded: { entry: entries.get(entryOf(rows[index]) ?? '') ?? null, missing: [] },
  }));
}

/** Returns a policy with its versions, newest first. Throws 404. */
export async function findPolicy(tx: Tx, actor: Actor, id: string): Promise<PolicyDetail> {
  const rows = await selectVersions(tx, actor.orgId).where('p.id', '=', id).orderBy('p.version', 'desc').execute();
  const [policy] = await policiesOf(tx, actor, rows.slice(0, 1));
  if (!policy) throw NotFound('Policy');
  return { ...policy, versions: rows.map(versionOf) };
}

/** Returns the active version of every policy. */
export async function activePolicies(tx: Tx, orgId: string): Promise<PolicyVersion[]> {
  const rows = await selectVersions(tx, orgId).where('p.valid_until', 'is', null).orderBy('p.id').execute();
  return rows.map(versionOf);
}

/** Returns every version that was ever enforced: its status may still be published. */
export async function enforcedVersions(tx: Tx, orgId: string): Promise<PolicyVersion[]> {
  const rows = await selectVersions(tx, orgId).where('p.mode', '=', 'enforce').orderBy('p.id').execute();
  return rows.map(versionOf);
}

/** Counts the enabled repositories of a host that refused policy results. */
export async function countRefusals(
  { db }: Tx,
  orgId: string,
  provider: Provider,
): Promise<{ status: number; comment: number; check: number }> {
  const rows = await db
    .selectFrom('policy_refusal as f')
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'f.org_id').onRef('r.id', '=', 'f.repository_id'),
    )
    .where('f.org_id', '=', orgId)
    .where('r.provider', '=', provider)
    .where('r.tracked', '=', true)
    .select(['f.what', ({ fn }) => fn.countAll<string>().as('count')])
    .groupBy('f.what')
    .execute();
  const of = (what: string) => Number(rows.find((row) => row.what === what)?.count ?? 0);
  return { status: of('status'), comment: of('comment'), check: of('check') };
}

type PolicyRow = Awaited<ReturnType<ReturnType<typeof selectVersions>['execute']>>[number];

const versionOf = (row: PolicyRow): PolicyVersion => ({
  id: row.id,
  version: row.version,
  name: row.name,
  kind: row.kind as PolicyKind,
  scope: row.scope as unknown as PolicyScope,
  settings: row.settings as unknown as PolicySettings,
  mode: row.mode as PolicyMode,
  from: row.valid_from.toISOString(),
  until: row.valid_until?.toISOString() ?? null,
  author: { id: row.author, name: row.author_name ?? 'Former member' },
});

export const MAX_NAMED_REPOSITORIES = 10;

/** The repositories of these IDs that the actor can see, by name. */
export async function namedRepositories(
  tx: Tx,
  actor: Actor,
  ids: readonly string[],
): Promise<{ id: string; fullName: string }[]> {
  if (ids.length === 0) return [];
  return visibleRepositories(tx, actor)
    .where('repository.id', 'in', [...new Set(ids)])
    .select(['repository.id', 'repository.full_name as fullName'])
    .orderBy('repository.full_name')
    .execute();
}

async function policiesOf(tx: Tx, actor: Actor, rows: readonly PolicyRow[]): Promise<Policy[]> {
  const versions = rows.map((row) => ({ ...versionOf(row), hasPendingChange: row.has_pending_change === true }));
  const repositories = await namedRepositories(
    tx,
    actor,
    versions.flatMap(({ scope }) => scope.repositories?.slice(0, MAX_NAMED_REPOSITORIES) ?? []),
  );
  const may = (permission: 'write:policies' | 'delete:policies') =>
    actor.reach(permission) === 'all' && !actor.archived;
  return versions.map((version) => ({
    ...version,
    repositories: repositories
      .filter(({ id }) => version.scope.repositories?.includes(id))
      .slice(0, MAX_NAMED_REPOSITORIES),
    allowed: {
      change: version.until === null && may('write:policies'),
      delete: version.until === null && may('delete:policies'),
      restore: version.until !== null && may('write:policies'),
    },
  }));
}
