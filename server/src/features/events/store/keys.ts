import type { Condition } from './condition.ts';
import type { Branch, ColumnAtom, TermLead } from './plan.ts';
import { type Bind, isOfKeys, pendingIn, sqlTypes, termsIn, testOf } from './tests.ts';

export interface Cursor {
  /** RFC 3339 UTC. */
  asOf: string;
  id: string;
}

export interface Walk {
  direction: 'older' | 'newer';
  from: Cursor | undefined;
  limit: number;
}

/** The SQL that finds the next keys, as columns as_of and id in the order of the walk, inside a lateral subquery of `tenant`. */
export function keysOf(branches: readonly Branch[], walk: Walk, bind: Bind): string {
  const order = orderOf(walk);
  const limit = bind(walk.limit, 'int');
  const each = branches.map((branch) => keysOfOne(branch, walk, limit, bind));
  const pending = pendingIn(
    branches.flatMap(({ lead, tests }) => [...(lead.by === 'terms' ? lead.along : []), ...tests.flatMap(termsIn)]),
    bind,
  );
  const [only = ''] = each;
  const keys =
    each.length === 1
      ? only
      : `select k.as_of, k.id from (${each.map((sql) => `(${sql})`).join(' union ')}) k order by ${order('k')} limit ${limit}`;
  return `${pending}${keys}`;
}

type Order = (row: string) => string;
const orderOf = ({ direction }: Walk): Order => {
  const way = direction === 'older' ? 'desc' : 'asc';
  return (row) => `${row}.as_of ${way}, ${row}.id ${way}`;
};

function keysOfOne(branch: Branch, walk: Walk, limit: string, bind: Bind): string {
  const order = orderOf(walk);
  const bounds = boundsOf(branch, walk, bind);
  const { lead } = branch;
  if (lead.by === 'terms') return keysByTerms(branch, lead, walk, bounds, limit, bind);
  const conditions = ['k.org_id = tenant.org', ...bounds, ...branch.tests.map((test) => testOf(test, 'k', bind))];
  const end = `order by ${order('k')} limit ${limit}`;
  if (lead.by === 'walk') return `select k.as_of, k.id from event k where ${conditions.join(' and ')} ${end}`;
  return `select k.as_of, k.id from unnest(${bind(lead.values, `${sqlTypes[lead.column]}[]`)}) v(value) cross join lateral (
    select k.as_of, k.id from event k where k.${lead.column} = v.value and ${conditions.join(' and ')} ${end}) k ${end}`;
}

/**
 * Hour by hour along the lists of the rarest: what an hour holds is met with the other lists and put in order when the page
 * reaches it. What is not in the lists yet is found beside them.
 */
function keysByTerms(branch: Branch, lead: TermLead, walk: Walk, bounds: string[], limit: string, bind: Bind): string {
  const order = orderOf(walk);
  const way = walk.direction === 'older' ? 'desc' : 'asc';
  const [rarest = [], ...others] = lead.along;
  const end = `order by ${order('k')} limit ${limit}`;
  const tested = testedByKey(lead.beside ? [lead.beside, ...branch.tests] : branch.tests, bind);
  const listed = lead.beside
    ? { keys: keysBeside(lead, lead.beside, branch, walk, bind), conditions: [] }
    : { keys: `${listedKeys(lead.along, branch, walk, way, bind)} ${tested.row}`, conditions: tested.conditions };
  const alsoUnder = others.map((terms) => testOf({ is: 'terms', any: terms }, 'k', bind));
  const pending = `select distinct x.as_of, x.id from pend x where ${isOneOf('x.term', rarest, bind)}`;
  return `select k.as_of, k.id from ((
      select k.as_of, k.id from ${listed.keys}
      where ${['true', ...bounds, ...listed.conditions].join(' and ')} order by h.hour ${way}, ${order('k')} limit ${limit}
    ) union (
      select k.as_of, k.id from (${pending}) k ${tested.row}
      where ${['true', ...bounds, ...alsoUnder, ...tested.conditions].join(' and ')} ${end}
    )) k ${end}`;
}

/** Tests of keys `k`: what needs the row looks it up for each, since nobody knows how many there are until the page is full. */
function testedByKey(tests: readonly Condition[], bind: Bind): { row: string; conditions: string[] } {
  if (tests.every(isOfKeys)) return { row: '', conditions: tests.map((test) => testOf(test, 'k', bind)) };
  const conditions = ['e.org_id = tenant.org', 'e.as_of = k.as_of', 'e.id = k.id'];
  const row = [...conditions, ...tests.map((test) => testOf(test, 'e', bind))].join(' and ');
  return { row: `cross join lateral (select from event e where ${row} offset 0) e`, conditions: [] };
}

/** The same along the index of a column, for the hours that the lists name. */
function keysBeside({ along }: TermLead, column: ColumnAtom, branch: Branch, walk: Walk, bind: Bind): string {
  const [rarest = []] = along;
  const way = walk.direction === 'older' ? 'desc' : 'asc';
  const conditions = [
    'k.org_id = tenant.org',
    testOf(column, 'k', bind),
    'k.as_of >= to_timestamp(h.hour * 3600.0)',
    'k.as_of < to_timestamp(h.hour * 3600.0 + 3600)',
    ...along.map((terms) => isListed(terms, bind)),
    ...branch.tests.map((test) => testOf(test, 'k', bind)),
  ];
  return `${hoursListed(rarest, branch, walk, way, bind)}
    cross join lateral (select k.as_of, k.id from event k where ${conditions.join(' and ')} offset 0) k`;
}

const isOneOf = (column: string, terms: readonly number[], bind: Bind) =>
  terms.length === 1 ? `${column} = ${bind(terms[0], 'bigint')}` : `${column} = any(${bind(terms, 'bigint[]')})`;

/** Keys `k` of the events that lie under one of each, with the hour `h.hour` each lies in. */
function listedKeys(along: TermLead['along'], branch: Branch, walk: Walk, way: string, bind: Bind): string {
  const [rarest = [], ...others] = along;
  if (along.length === 1 && rarest.length === 1) {
    const lists = listsOf(rarest, hoursOf(branch, walk, bind), bind);
    return `(select hour, as_of, id from ${lists}) h cross join lateral unnest(h.as_of, h.id) as k(as_of, id)`;
  }
  const once = rarest.length === 1 ? '' : 'distinct';
  const also = ['true', ...others.map((terms) => isListed(terms, bind))].join(' and ');
  return `${hoursListed(rarest, branch, walk, way, bind)} cross join lateral (
      select ${once} k.as_of, k.id from ${ofHour(rarest, bind)} cross join lateral unnest(l.as_of, l.id) as k(as_of, id)
      where ${also} offset 0) k`;
}

const listsOf = (terms: readonly number[], within: readonly string[], bind: Bind) =>
  `posting_list p where ${['p.org_id = tenant.org', isOneOf('p.term', terms, bind), ...within].join(' and ')}`;

/** Each hour `h.hour` in which one of these has a list, in the order of the walk. */
const hoursListed = (terms: readonly number[], branch: Branch, walk: Walk, way: string, bind: Bind) =>
  `(select distinct hour from ${listsOf(terms, hoursOf(branch, walk, bind), bind)} order by hour ${way}) h`;

const ofHour = (terms: readonly number[], bind: Bind) =>
  `(select as_of, id from ${listsOf(terms, ['p.hour = h.hour'], bind)} offset 0) l`;

/** `is true` keeps it from becoming a join whose way is guessed from sizes nobody knows: it is hashed once an hour. */
const isListed = (terms: readonly number[], bind: Bind) =>
  `(k.id in (select x.id from ${ofHour(terms, bind)} cross join lateral unnest(l.id) as x(id))) is true`;

/** The hours that can hold what the page may show. */
function hoursOf({ from, to }: Pick<Branch, 'from' | 'to'>, walk: Walk, bind: Bind): string[] {
  const test = (operator: '<=' | '>=', time: number | null) =>
    time === null ? [] : [`p.hour ${operator} ${bind(Math.floor(time / 3_600_000), 'int')}`];
  const standing = walk.from === undefined ? null : Date.parse(walk.from.asOf);
  return [...test('>=', from), ...test('<=', to), ...test(walk.direction === 'older' ? '<=' : '>=', standing)];
}

/** Where along time the page begins and what bounds it. */
function boundsOf({ from, to }: Pick<Branch, 'from' | 'to'>, walk: Walk, bind: Bind): string[] {
  const cursor = walk.from;
  return [
    ...(cursor
      ? [
          `(k.as_of, k.id) ${walk.direction === 'older' ? '<' : '>'} (${bind(cursor.asOf, 'timestamptz')}, ${bind(cursor.id, 'uuid')})`,
        ]
      : []),
    ...(from === null ? [] : [`k.as_of >= ${bind(timeOf(from), 'timestamptz')}`]),
    ...(to === null ? [] : [`k.as_of < ${bind(timeOf(to), 'timestamptz')}`]),
  ];
}

const timeOf = (time: number) => new Date(time).toISOString();
