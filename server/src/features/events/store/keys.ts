import type { Branch, TermLead } from './plan.ts';
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
function keysByTerms(
  branch: Branch,
  { along }: TermLead,
  walk: Walk,
  bounds: string[],
  limit: string,
  bind: Bind,
): string {
  const order = orderOf(walk);
  const way = walk.direction === 'older' ? 'desc' : 'asc';
  const [lead = [], ...others] = along;
  const needsRow = !branch.tests.every(isOfKeys);
  const row = needsRow ? 'join event e on e.org_id = tenant.org and e.as_of = k.as_of and e.id = k.id' : '';
  const tests = branch.tests.map((test) => testOf(test, needsRow ? 'e' : 'k', bind));
  const end = `order by ${order('k')} limit ${limit}`;
  const listed = `select k.as_of, k.id from ${listedKeys(along, branch, walk, way, bind)} ${row}
    where ${['true', ...bounds, ...tests].join(' and ')} order by h.hour ${way}, ${order('k')} limit ${limit}`;
  const alsoUnder = others.map((terms) => testOf({ is: 'terms', any: terms }, 'k', bind));
  const pending = `select k.as_of, k.id from (select distinct x.as_of, x.id from pend x where ${isOneOf('x.term', lead, bind)}) k ${row}
    where ${['true', ...bounds, ...alsoUnder, ...tests].join(' and ')} ${end}`;
  return `select k.as_of, k.id from ((${listed}) union (${pending})) k ${end}`;
}

const isOneOf = (column: string, terms: readonly number[], bind: Bind) =>
  terms.length === 1 ? `${column} = ${bind(terms[0], 'bigint')}` : `${column} = any(${bind(terms, 'bigint[]')})`;

/** Keys `k` of the events that lie under one of each, with the hour `h.hour` each lies in. */
function listedKeys(along: TermLead['along'], branch: Branch, walk: Walk, way: string, bind: Bind): string {
  const hours = hoursOf(branch, walk, bind);
  const listsOf = (terms: readonly number[], within: string[]) =>
    `posting_list p where ${['p.org_id = tenant.org', isOneOf('p.term', terms, bind), ...within].join(' and ')}`;
  const [lead = [], ...others] = along;
  if (along.length === 1 && lead.length === 1) {
    return `(select hour, as_of, id from ${listsOf(lead, hours)}) h cross join lateral unnest(h.as_of, h.id) as k(as_of, id)`;
  }
  const ofHour = (terms: readonly number[]) =>
    `(select as_of, id from ${listsOf(terms, ['p.hour = h.hour'])} offset 0) l`;
  // `is true` keeps it from becoming a join whose way is guessed from sizes nobody knows: it is hashed once an hour.
  const alsoUnder = others.map(
    (terms) => `(k.id in (select k.id from ${ofHour(terms)} cross join lateral unnest(l.id) as k(id))) is true`,
  );
  const once = lead.length === 1 ? '' : 'distinct';
  return `(select distinct hour from ${listsOf(lead, hours)} order by hour ${way}) h
    cross join lateral (select ${once} k.as_of, k.id from ${ofHour(lead)} cross join lateral unnest(l.as_of, l.id) as k(as_of, id)
      ${alsoUnder.length === 0 ? '' : `where ${alsoUnder.join(' and ')}`} offset 0) k`;
}

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
