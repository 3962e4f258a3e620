import { type RawBuilder, sql } from 'kysely';
import { type Compare, type Filter, parse } from 'scim2-parse-filter';
import { ScimError } from './errors.ts';

/** How an attribute is compared: as text in any case, exactly, as a boolean, as a time, or within a list. */
type AttributeSql =
  | { kind: 'text' | 'exact' | 'boolean' | 'time'; column: RawBuilder<unknown> }
  | { kind: 'list'; where: (element: RawBuilder<boolean>) => RawBuilder<boolean>; elements: FilterAttributes };

/** The attributes that a filter may name, in lower case. `''`: the value of an element without a named attribute. */
export type FilterAttributes = Readonly<Record<string, AttributeSql>>;

const MAX_FILTER_LENGTH = 2000;
const MAX_DEPTH = 20;

const elementText = (key: string) => ({ kind: 'text' as const, column: sql`element ->> ${key}` });
const times: FilterAttributes = {
  'meta.created': { kind: 'time', column: sql`r.created_at` },
  'meta.lastmodified': { kind: 'time', column: sql`r.updated_at` },
};

export const userFilterAttributes: FilterAttributes = {
  ...times,
  id: { kind: 'exact', column: sql`r.id::text` },
  username: { kind: 'text', column: sql`r.user_name` },
  externalid: { kind: 'exact', column: sql`r.external_id` },
  active: { kind: 'boolean', column: sql`r.is_active` },
  displayname: { kind: 'text', column: sql`r.profile ->> 'displayName'` },
  'name.formatted': { kind: 'text', column: sql`r.profile #>> '{name,formatted}'` },
  'name.givenname': { kind: 'text', column: sql`r.profile #>> '{name,givenName}'` },
  'name.familyname': { kind: 'text', column: sql`r.profile #>> '{name,familyName}'` },
  emails: {
    kind: 'list',
    where: (element) =>
      sql`exists (select from jsonb_array_elements(coalesce(r.profile -> 'emails', '[]')) element where ${element})`,
    elements: {
      '': elementText('value'),
      value: elementText('value'),
      type: elementText('type'),
      primary: { kind: 'boolean', column: sql`(element ->> 'primary')::boolean` },
    },
  },
};

export const groupFilterAttributes: FilterAttributes = {
  ...times,
  id: { kind: 'exact', column: sql`r.id::text` },
  displayname: { kind: 'text', column: sql`r.display_name` },
  externalid: { kind: 'exact', column: sql`r.external_id` },
  members: {
    kind: 'list',
    where: (element) =>
      sql`exists (select from directory_group_member element
        where element.org_id = r.org_id and element.group_id = r.id and ${element})`,
    elements: {
      '': { kind: 'exact', column: sql`element.user_id::text` },
      value: { kind: 'exact', column: sql`element.user_id::text` },
    },
  },
};

/** Translates a filter of RFC 7644, section 3.4.2.2, to a condition on the row `r`. Throws 400. */
export function filterSql(text: string, attributes: FilterAttributes): RawBuilder<boolean> {
  if (text.length > MAX_FILTER_LENGTH) throw invalidFilter('The filter is too long.');
  // The parser is recursive.
  if ((text.match(/[([]|\bnot\b/gi)?.length ?? 0) > MAX_DEPTH) throw invalidFilter('The filter is nested too deeply.');
  let filter: Filter;
  try {
    filter = parse(text);
  } catch {
    throw invalidFilter('The filter is not valid.');
  }
  return conditionOf(filter, attributes);
}

const invalidFilter = (detail: string) => new ScimError(400, detail, 'invalidFilter');

function conditionOf(filter: Filter, attributes: FilterAttributes): RawBuilder<boolean> {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const separator = filter.op === 'and' ? sql` and ` : sql` or `;
      return sql`(${sql.join(
        filter.filters.map((one) => conditionOf(one, attributes)),
        separator,
      )})`;
    }
    case 'not':
      return sql`not coalesce(${conditionOf(filter.filter, attributes)}, false)`;
    case '[]': {
      const list = attributes[nameOf(filter.attrPath)];
      if (list?.kind !== 'list') throw invalidFilter(`${filter.attrPath} is not a list.`);
      return list.where(conditionOf(filter.valFilter, list.elements));
    }
    default:
      return comparisonOf(filter, attributes);
  }
}

const nameOf = (path: string): string =>
  path.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, '').toLowerCase();

function comparisonOf(
  filter: Compare | { op: 'pr'; attrPath: string },
  attributes: FilterAttributes,
): RawBuilder<boolean> {
  const name = nameOf(filter.attrPath);
  const attribute = attributes[name];
  if (attribute?.kind === 'list') {
    if (filter.op === 'pr') return attribute.where(sql`true`);
    return attribute.where(comparisonOf({ ...filter, attrPath: '' }, attribute.elements));
  }
  if (attribute) {
    if (filter.op === 'pr') return sql`${attribute.column} is not null`;
    return sql`coalesce(${compare(attribute, filter)}, false)`;
  }
  const [parent = '', sub] = name.split('.');
  const list = attributes[parent];
  if (list?.kind === 'list' && sub !== undefined) {
    return list.where(comparisonOf({ ...filter, attrPath: sub }, list.elements));
  }
  throw invalidFilter(`This service cannot filter by ${filter.attrPath}.`);
}

const orders = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` } as const;

function compare(
  { kind, column }: Exclude<AttributeSql, { kind: 'list' }>,
  { op, compValue: value }: Compare,
): RawBuilder<boolean> {
  if (kind === 'boolean') {
    const wanted = typeof value === 'string' ? value.toLowerCase() === 'true' : value;
    if (typeof wanted !== 'boolean' || (op !== 'eq' && op !== 'ne'))
      throw invalidFilter('A boolean is compared by eq.');
    return op === 'eq' ? sql`${column} = ${wanted}` : sql`${column} is distinct from ${wanted}`;
  }
  if (typeof value !== 'string') throw invalidFilter('The value of a comparison must be text.');
  if (kind === 'time') {
    if (!/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value) || Number.isNaN(Date.parse(value)))
      throw invalidFilter('A time is written as 2026-01-31T12:00:00Z.');
    if (op === 'eq') return sql`${column} = ${value}::timestamptz`;
    if (op in orders) return sql`${column} ${orders[op as keyof typeof orders]} ${value}::timestamptz`;
    throw invalidFilter(`A time is not compared by ${op}.`);
  }
  return compareText(kind === 'text', column, op, value);
}

function compareText(
  isAnyCase: boolean,
  column: RawBuilder<unknown>,
  op: Compare['op'],
  value: string,
): RawBuilder<boolean> {
  const [left, right] = isAnyCase ? [sql`lower(${column})`, value.toLowerCase()] : [column, value];
  switch (op) {
    case 'eq':
      return sql`${left} = ${right}`;
    case 'ne':
      return sql`${left} is distinct from ${right}`;
    case 'co':
      return sql`strpos(${left}, ${right}) > 0`;
    case 'sw':
      return sql`starts_with(${left}, ${right})`;
    case 'ew':
      return sql`right(${left}, length(${right})) = ${right}`;
    default:
      return sql`${left} ${orders[op]} ${right}`;
  }
}
