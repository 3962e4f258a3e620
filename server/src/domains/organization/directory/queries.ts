import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import type {
  Directory,
  DirectoryGroup,
  DirectoryProduct,
  DirectoryUser,
  GroupRoles,
  listDirectoryGroups,
  listDirectoryUsers,
  WithheldReason,
} from '@sightline/contract/organization/directory.ts';
import { scimPath } from '@sightline/contract/organization/directory.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';
import { findSingleSignOn, listVerifiedDomains } from '../../identity/sign-in-policy/queries.ts';

/** Returns the directory of an organization without its token; undefined if none is connected. */
export async function maybeDirectory(
  { config }: Pick<Services, 'config'>,
  tx: Tx,
  orgId: string,
): Promise<Directory | undefined> {
  const [row] = await tx.query<{
    product: DirectoryProduct;
    token_end: string;
    token_at: Date;
    previous_until: Date | null;
    default_role: Directory['defaultRole'];
    created_at: Date;
    last_request_at: Date | null;
    last_change_at: Date | null;
    failure: string | null;
    failed_at: Date | null;
    active: number;
    inactive: number;
    withheld: number;
    groups: number;
    roles: Directory['groupRoles'] | null;
  }>({
    name: 'directory.find',
    text: `select d.product, d.token_end, d.token_at, d.default_role, d.created_at, d.last_request_at, d.last_change_at,
             d.failure, d.failed_at, case when d.previous_until > now() then d.previous_until end as previous_until,
             u.active, u.inactive, u.withheld, (select count(*)::int from directory_group g where g.org_id = d.org_id) as groups,
             (select jsonb_agg(jsonb_build_object('group', r.group_name, 'roleId', r.role_id) order by r.group_name)
              from group_role r where r.org_id = d.org_id) as roles
           from directory d, lateral (
             select count(*) filter (where is_active)::int as active, count(*) filter (where not is_active)::int as inactive,
               count(*) filter (where withheld is not null)::int as withheld
             from directory_user where org_id = d.org_id) u
           where d.org_id = $1`,
    values: [orgId],
  });
  if (!row) return undefined;
  return {
    product: row.product,
    url: `${config.PUBLIC_URL}${scimPath}`,
    tokenEnd: row.token_end,
    tokenCreatedAt: row.token_at.toISOString(),
    previousTokenUntil: row.previous_until?.toISOString() ?? null,
    defaultRole: row.default_role,
    groupRoles: row.roles ?? [],
    users: { active: row.active, inactive: row.inactive, withheld: row.withheld },
    groups: row.groups,
    connectedAt: row.created_at.toISOString(),
    lastRequestAt: row.last_request_at?.toISOString() ?? null,
    lastChangeAt: row.last_change_at?.toISOString() ?? null,
    failure:
      row.failure === null || row.failed_at === null ? null : { message: row.failure, at: row.failed_at.toISOString() },
  };
}

/** The directory of an organization. Throws 404 if none is connected. */
export async function findDirectory(services: Pick<Services, 'config'>, tx: Tx, orgId: string): Promise<Directory> {
  const directory = await maybeDirectory(services, tx, orgId);
  if (!directory) throw NotFound('Directory');
  return directory;
}

/** The roles that groups give, and who reports groups at sign-ins. */
export async function findGroupRoles(
  { upstreams, config }: Pick<Services, 'upstreams' | 'config'>,
  tx: Tx,
  orgId: string,
): Promise<GroupRoles> {
  const rows = await tx.db
    .selectFrom('group_role')
    .select(['group_name', 'role_id'])
    .where('org_id', '=', orgId)
    .orderBy('group_name')
    .execute();
  const connection = (await findSingleSignOn(tx, orgId))?.connection;
  const reports = config.upstreams.some((one) => one.connection === connection && one.groupsClaim !== undefined);
  return {
    roles: rows.map(({ group_name: group, role_id }) => ({ group, roleId: role_id as RoleId })),
    reportedBy: reports ? (upstreams.get(connection ?? '')?.label ?? null) : null,
  };
}

/** What is missing before the users of the directory can be members, each as a sentence. */
export async function findDirectoryProblems(
  services: Pick<Services, 'config'>,
  tx: Tx,
  orgId: string,
): Promise<string[]> {
  const { lastRequestAt, failure, users, defaultRole, groupRoles } = await findDirectory(services, tx, orgId);
  const domains = await listVerifiedDomains(tx, orgId);
  return [
    ...(lastRequestAt === null
      ? [
          'The directory has not sent a request with this token yet. Enter address and token there, and test the connection.',
        ]
      : []),
    ...(failure === null ? [] : [`The directory sent a request that was rejected: ${failure.message}`]),
    ...(domains.length === 0
      ? [
          'No domain of the organization is verified, so only people who are members already can be managed. Verify a domain in the settings.',
        ]
      : []),
    ...(defaultRole === null && groupRoles.length === 0
      ? ['No group has a role, and there is no default role, so no user of the directory gets access.']
      : []),
    ...(users.withheld > 0 ? [`${withheldText(users.withheld)} See the list of users for the reason.`] : []),
  ];
}

export const withheldText = (users: number): string =>
  users === 1
    ? 'The access of 1 user differs from the directory.'
    : `The access of ${users} users differs from the directory.`;

type UsersQuery = z.output<typeof listDirectoryUsers.query>;

const userSorts = {
  'withheld-desc': sql`(u.withheld is null), lower(u.user_name)`,
  'name-asc': sql`lower(u.user_name)`,
  'name-desc': sql`lower(u.user_name) desc`,
  'date-asc': sql`u.updated_at`,
  'date-desc': sql`u.updated_at desc`,
} as const satisfies Record<UsersQuery['sort'], unknown>;

export async function listUsers(tx: Tx, orgId: string, query: UsersQuery): Promise<Page<DirectoryUser[]>> {
  const { search, sort } = query;
  const { rows, total } = await fetchPage(
    tx.db
      .selectFrom('directory_user as u')
      .where('u.org_id', '=', orgId)
      .$if(search !== '', (q) =>
        q.where((eb) =>
          eb.or([
            containsText(eb.ref('u.user_name'), search),
            containsText(sql<string>`u.profile ->> 'display'`, search),
            containsText(sql<string>`coalesce(u.email, '')`, search),
          ]),
        ),
      )
      .select([
        'u.id',
        'u.user_name',
        'u.email',
        'u.is_active',
        'u.account_id',
        'u.applied_role',
        'u.withheld',
        'u.updated_at',
        sql<string | null>`u.profile ->> 'display'`.as('display'),
        sql<string[]>`array(select g.display_name from directory_group_member m
          join directory_group g on g.org_id = m.org_id and g.id = m.group_id
          where m.org_id = u.org_id and m.user_id = u.id order by g.display_name limit 20)`.as('groups'),
      ])
      .orderBy(userSorts[sort])
      .orderBy('u.id'),
    query,
  );
  return {
    total,
    rows: rows.map((row) => ({
      id: row.id,
      userName: row.user_name,
      name: row.display ?? row.user_name,
      email: row.email,
      isActive: row.is_active,
      accountId: row.account_id,
      roleId: row.applied_role as RoleId | null,
      groups: row.groups,
      withheld: row.withheld as WithheldReason | null,
      updatedAt: row.updated_at.toISOString(),
    })),
  };
}

type GroupsQuery = z.output<typeof listDirectoryGroups.query>;

export async function listGroups(tx: Tx, orgId: string, query: GroupsQuery): Promise<Page<DirectoryGroup[]>> {
  const { search, sort } = query;
  const { rows, total } = await fetchPage(
    tx.db
      .selectFrom('directory_group as g')
      .where('g.org_id', '=', orgId)
      .$if(search !== '', (q) => q.where((eb) => containsText(eb.ref('g.display_name'), search)))
      .select([
        'g.id',
        'g.display_name',
        sql<number>`(select count(*)::int from directory_group_member m where m.org_id = g.org_id and m.group_id = g.id)`.as(
          'members',
        ),
      ])
      .orderBy('g.display_name', sort === 'name-asc' ? 'asc' : 'desc')
      .orderBy('g.id'),
    query,
  );
  return { total, rows: rows.map(({ id, display_name: name, members }) => ({ id, name, members })) };
}
