import type {
  getHostAccessStatus,
  HostAccessItem,
  HostAccessQuery,
  HostAccessStatus,
} from '@sightline/contract/compliance/host-access.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import { permissionScopeOf, type RoleId, roleIds } from '@sightline/contract/core/permissions.ts';
import type { Provider } from '@sightline/contract/core/providers.ts';
import {
  type AccessPart,
  type AccessRoute,
  accessParts,
  type HolderKind,
  type HostPermission,
  hostPermissions,
} from '@sightline/contract/sources/host-access.ts';
import { ACCESS_VALID_HOURS } from '@sightline/evidence/controls/access-polling.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';
import { visibleRepositories } from '../../organization/repository-access/queries.ts';

const rankSql = sql`array_position(${sql.lit(`{${hostPermissions.join(',')}}`)}::text[], g.permission)`;
const sorts = {
  'name-asc': [sql`lower(h.name)`, 'asc'],
  'name-desc': [sql`lower(h.name)`, 'desc'],
  'repository-asc': [sql`lower(r.full_name)`, 'asc'],
  'repository-desc': [sql`lower(r.full_name)`, 'desc'],
  'permission-desc': [rankSql, 'desc'],
  'permission-asc': [rankSql, 'asc'],
} as const;

const writing: readonly HostPermission[] = ['write', 'maintain', 'admin'];
const waivingRoles = roleIds.filter((role) => permissionScopeOf(role, 'approve:exceptions') !== undefined);

/** The roles that the person of an account holds as an active member at a time. */
const rolesAt = (at: Date) => sql<RoleId[]>`array(
  select m.role_id from identity i
  join lateral (
    select c.role_id, c.status from member_change c
    where c.org_id = i.org_id and c.account_id = i.value::uuid and c.at <= ${at} order by c.at desc limit 1) m on m.status = 'active'
  where h.kind = 'person' and i.org_id = h.org_id and i.kind = 'account' and i.person_id = coalesce(p.merged_into, h.person_id))`;

/** The access in force at a time, one row for each repository and holder. */
const accessAt = (tx: Tx, actor: Actor, at: Date) =>
  tx.db
    .selectFrom('access_change as c')
    .distinctOn(['c.repository_id', 'c.holder_id'])
    .where('c.org_id', '=', actor.orgId)
    .where('c.at', '<=', at)
    .where('c.repository_id', 'in', visibleRepositories(tx, actor).select('repository.id'))
    .select(['c.repository_id', 'c.holder_id', 'c.at', 'c.permission', 'c.routes', 'c.can_bypass'])
    .orderBy('c.repository_id')
    .orderBy('c.holder_id')
    .orderBy('c.at', 'desc');

/** Lists one page of the access to visible repositories. */
export async function listAccess(tx: Tx, actor: Actor, query: HostAccessQuery): Promise<Page<HostAccessItem[]>> {
  const at = new Date(query.at ?? Date.now());
  const [column, direction] = sorts[query.sort];
  const roles = rolesAt(at);
  const found = await fetchPage(
    tx.db
      .selectFrom(accessAt(tx, actor, at).as('g'))
      .innerJoin('access_holder as h', (join) =>
        join.on('h.org_id', '=', actor.orgId).onRef('h.id', '=', 'g.holder_id'),
      )
      .innerJoin('repository as r', (join) =>
        join.on('r.org_id', '=', actor.orgId).onRef('r.id', '=', 'g.repository_id'),
      )
      .leftJoin('person as p', (join) => join.onRef('p.org_id', '=', 'h.org_id').onRef('p.id', '=', 'h.person_id'))
      .where('g.permission', 'is not', null)
      .$if(query.repository !== undefined, (q) => q.where('r.id', '=', query.repository ?? ''))
      .$if(query.kind.length > 0, (q) => q.where('h.kind', 'in', query.kind))
      .$if(query.permission.length > 0, (q) => q.where('g.permission', 'in', query.permission))
      .$if(query.duty.includes('write'), (q) => q.where('g.permission', 'in', writing))
      .$if(query.duty.includes('approve'), (q) => q.where('g.permission', 'in', writing).where('h.kind', '=', 'person'))
      .$if(query.duty.includes('bypass'), (q) => q.where('g.can_bypass', '=', true))
      .$if(query.duty.includes('administer'), (q) => q.where('g.permission', '=', 'admin'))
      .$if(query.duty.includes('waive'), (q) => q.where(sql<boolean>`${roles} && ${waivingRoles}::text[]`))
      .$if(query.member !== undefined, (q) =>
        q.where(sql<boolean>`(cardinality(${roles}) > 0) = ${query.member === 'yes'}`),
      )
      .$if(query.search !== '', (q) =>
        q.where((eb) =>
          eb.or([containsText(eb.ref('h.name'), query.search), containsText(eb.ref('r.full_name'), query.search)]),
        ),
      )
      .select([
        ...([
          'h.id',
          'h.provider',
          'h.kind',
          'h.name',
          'r.full_name',
          'g.repository_id',
          'g.at',
          'g.permission',
        ] as const),
        ...(['g.routes', 'g.can_bypass'] as const),
      ])
      .select([
        sql<string | null>`coalesce(p.merged_into, h.person_id)`.as('person'),
        sql<string | null>`(select d.name from person_display(h.org_id, h.person_id) d)`.as('person_name'),
        roles.as('roles'),
      ])
      .orderBy(column, direction)
      .orderBy(sql`lower(r.full_name)`)
      .orderBy(sql`lower(h.name)`)
      .orderBy('g.repository_id')
      .orderBy('h.id'),
    query,
  );
  return { total: found.total, rows: found.rows.map(itemOf) };
}

interface AccessItemRow {
  id: string;
  provider: string;
  kind: string;
  name: string;
  full_name: string;
  repository_id: string;
  at: Date;
  permission: string | null;
  routes: string[];
  can_bypass: boolean | null;
  person: string | null;
  person_name: string | null;
  roles: RoleId[];
}

function itemOf(row: AccessItemRow): HostAccessItem {
  const { id, name, person, roles } = row;
  const [kind, permission] = [row.kind as HolderKind, row.permission as HostPermission];
  const canWrite = writing.includes(permission);
  const waives = roles.some((role) => waivingRoles.includes(role));
  return {
    holder: {
      id,
      provider: row.provider as Provider,
      kind,
      name,
      person: person === null ? null : { id: person, name: row.person_name },
    },
    repository: { id: row.repository_id, fullName: row.full_name },
    permission,
    routes: row.routes as AccessRoute[],
    since: row.at.toISOString(),
    isMember: kind === 'person' ? roles.length > 0 : null,
    duties: {
      write: truth(canWrite),
      // Code hosts count the approvals of accounts that can write. Whether one of an app counts is not known.
      approve: kind === 'app' && canWrite ? 'unknown' : truth(canWrite && kind !== 'key'),
      bypass: row.can_bypass === null ? 'unknown' : truth(row.can_bypass),
      administer: truth(permission === 'admin'),
      waive: truth(waives),
    },
  };
}

const truth = (is: boolean) => (is ? 'yes' : 'no');

const EXAMPLES = 20;

/** Returns which visible enabled repositories have no reading that counts at a time, or one with denied parts. */
export async function hostAccessStatus(
  tx: Tx,
  actor: Actor,
  { at: given }: z.output<typeof getHostAccessStatus.query>,
): Promise<HostAccessStatus> {
  const at = new Date(given ?? Date.now());
  const rows = await visibleRepositories(tx, actor)
    .where('repository.tracked', '=', true)
    .where('repository.removed_at', 'is', null)
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('access_reading as a')
          .where('a.org_id', '=', actor.orgId)
          .whereRef('a.repository_id', '=', 'repository.id')
          .where('a.captured_at', '<=', at)
          .select(['a.captured_at', 'a.parts'])
          .orderBy('a.captured_at', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['repository.id', 'repository.full_name', 'last.captured_at', 'last.parts'])
    .orderBy(sql`lower(repository.full_name)`)
    .orderBy('repository.id')
    .execute();
  const oldest = at.getTime() - ACCESS_VALID_HOURS * 3_600_000;
  const incomplete = rows.flatMap(({ id, full_name: fullName, captured_at: readAt, parts }) => {
    const isTooOld = readAt !== null && readAt.getTime() < oldest;
    const missing = missingParts(parts);
    if (readAt !== null && !isTooOld && missing.length === 0) return [];
    return [{ id, fullName, readAt: readAt?.toISOString() ?? null, isTooOld, missing }];
  });
  return { repositories: rows.length, incomplete: incomplete.length, examples: incomplete.slice(0, EXAMPLES) };
}

const missingParts = (parts: unknown): AccessPart[] =>
  accessParts.filter((part) => (parts as Partial<Record<AccessPart, string>> | null)?.[part] === 'forbidden');
