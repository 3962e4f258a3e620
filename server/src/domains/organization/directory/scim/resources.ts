import { scimPath } from '@sightline/contract/organization/directory.ts';
import { sql } from 'kysely';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { type UserColumns, userOf } from '../users.ts';
import { notFound, ScimError } from './errors.ts';
import { type FilterAttributes, filterSql, groupFilterAttributes, userFilterAttributes } from './filter.ts';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const MAX_RESULTS = 200;
const DEFAULT_RESULTS = 100;

export type ScimResource = Record<string, unknown> & { id: string };

/** The parameters of a list: RFC 7644, section 3.4.2. */
interface ListQuery {
  filter: string | undefined;
  startIndex: number;
  count: number;
  shape: ResourceShape;
}

/** The attributes that a response contains, in lower case. */
interface ResourceShape {
  attributes: ReadonlySet<string> | undefined;
  excluded: ReadonlySet<string>;
}

/** Parses the parameters of a request. Throws 400. */
export function parseListQuery(given: Record<string, unknown>): ListQuery {
  const { filter, startIndex, count } = given;
  if (filter !== undefined && typeof filter !== 'string')
    throw new ScimError(400, 'filter must be text.', 'invalidFilter');
  return {
    filter: filter === '' ? undefined : filter,
    // RFC 7644: a value below 1 is interpreted as 1, a negative count as 0.
    startIndex: Math.max(1, integerOf(startIndex, 'startIndex', 1)),
    count: Math.min(MAX_RESULTS, Math.max(0, integerOf(count, 'count', DEFAULT_RESULTS))),
    shape: parseShape(given),
  };
}

export function parseShape({ attributes, excludedAttributes }: Record<string, unknown>): ResourceShape {
  const named = namesOf(attributes);
  return { attributes: named.size === 0 ? undefined : named, excluded: namesOf(excludedAttributes) };
}

const namesOf = (value: unknown): Set<string> =>
  new Set(
    [value ?? []]
      .flat()
      .flatMap((one) => String(one).split(','))
      .map((name) =>
        name
          .trim()
          .toLowerCase()
          .replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/, ''),
      )
      .map((name) => name.split('.')[0] ?? '')
      .filter((name) => name !== ''),
  );

function integerOf(value: unknown, name: string, otherwise: number): number {
  if (value === undefined || value === '') return otherwise;
  const number = Number(value);
  if (!Number.isInteger(number)) throw new ScimError(400, `${name} must be a whole number.`, 'invalidValue');
  return Math.min(number, 10_000_000);
}

interface ResourceKind {
  endpoint: string;
  table: 'directory_user' | 'directory_group';
  filters: FilterAttributes;
  columns: (shape: ResourceShape) => string;
  represent: (row: never, base: string) => ScimResource;
}

const includes = ({ attributes, excluded }: ResourceShape, name: string): boolean =>
  !excluded.has(name) && (attributes === undefined || attributes.has(name));

interface Times {
  id: string;
  created_at: Date;
  updated_at: Date;
}
type UserRow = UserColumns & Times & { groups?: { value: string; display: string }[] | null };
type GroupRow = Times & {
  display_name: string;
  external_id: string | null;
  members?: { value: string; display: string }[] | null;
};

const metaOf = ({ id, created_at, updated_at }: Times, resourceType: string, location: string) => ({
  resourceType,
  created: created_at.toISOString(),
  lastModified: updated_at.toISOString(),
  location: `${location}/${id}`,
});

export const userKind: ResourceKind = {
  endpoint: 'Users',
  table: 'directory_user',
  filters: userFilterAttributes,
  columns: (shape) =>
    `r.id, r.user_name, r.external_id, r.is_active, r.profile, r.created_at, r.updated_at${
      includes(shape, 'groups')
        ? `, (select jsonb_agg(jsonb_build_object('value', g.id, 'display', g.display_name) order by g.display_name)
           from directory_group_member m join directory_group g on g.org_id = m.org_id and g.id = m.group_id
           where m.org_id = r.org_id and m.user_id = r.id) as groups`
        : ''
    }`,
  represent: (row: UserRow, base) => ({
    schemas: [USER_SCHEMA],
    id: row.id,
    ...userOf(row),
    ...(row.groups && { groups: row.groups.map((one) => ({ ...one, $ref: `${base}/Groups/${one.value}` })) }),
    meta: metaOf(row, 'User', `${base}/Users`),
  }),
};

export const groupKind: ResourceKind = {
  endpoint: 'Groups',
  table: 'directory_group',
  filters: groupFilterAttributes,
  columns: (shape) =>
    `r.id, r.display_name, r.external_id, r.created_at, r.updated_at${
      includes(shape, 'members')
        ? `, (select jsonb_agg(jsonb_build_object('value', u.id, 'display', u.profile ->> 'display') order by u.id)
           from directory_group_member m join directory_user u on u.org_id = m.org_id and u.id = m.user_id
           where m.org_id = r.org_id and m.group_id = r.id) as members`
        : ''
    }`,
  represent: (row: GroupRow, base) => ({
    schemas: [GROUP_SCHEMA],
    id: row.id,
    displayName: row.display_name,
    ...(row.external_id !== null && { externalId: row.external_id }),
    ...(row.members !== undefined && {
      members: (row.members ?? []).map((one) => ({ ...one, type: 'User', $ref: `${base}/Users/${one.value}` })),
    }),
    meta: metaOf(row, 'Group', `${base}/Groups`),
  }),
};

export const baseUrlOf = ({ config }: Pick<Services, 'config'>): string => `${config.PUBLIC_URL}${scimPath}`;

/** Returns one resource. Throws 404. */
export async function findResource(
  tx: Tx,
  orgId: string,
  kind: ResourceKind,
  { id, shape, base }: { id: string; shape: ResourceShape; base: string },
): Promise<ScimResource> {
  if (!/^[0-9a-f-]{36}$/i.test(id)) throw notFound(id.slice(0, 100));
  const [row] = await tx.query<Record<string, unknown>>({
    name: '',
    text: `select ${kind.columns(shape)} from ${kind.table} r where r.org_id = $1 and r.id = $2::uuid`,
    values: [orgId, id],
  });
  if (!row) throw notFound(id);
  return shaped(kind.represent(row as never, base), shape);
}

/** Lists resources in the order of their creation. */
export async function listResources(
  tx: Tx,
  orgId: string,
  kind: ResourceKind,
  { query: { filter, startIndex, count, shape }, base }: { query: ListQuery; base: string },
): Promise<object> {
  const where = filter === undefined ? sql<boolean>`true` : filterSql(filter, kind.filters);
  const from = sql`from ${sql.table(kind.table)} r where r.org_id = ${orgId} and ${where}`;
  const totals = await sql<{ n: number }>`select count(*)::int as n ${from}`.execute(tx.db);
  const total = totals.rows[0]?.n ?? 0;
  const { rows } =
    count === 0 || total < startIndex
      ? { rows: [] }
      : await sql<Record<string, unknown>>`select ${sql.raw(kind.columns(shape))} ${from}
          order by r.created_at, r.id limit ${count} offset ${startIndex - 1}`.execute(tx.db);
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex,
    itemsPerPage: rows.length,
    Resources: rows.map((row) => shaped(kind.represent(row as never, base), shape)),
  };
}

/** Attributes that every response contains. */
const always = new Set(['schemas', 'id', 'meta']);

const shaped = (resource: ScimResource, shape: ResourceShape): ScimResource =>
  Object.fromEntries(
    Object.entries(resource).filter(([name]) => always.has(name) || includes(shape, name.toLowerCase())),
  ) as ScimResource;
