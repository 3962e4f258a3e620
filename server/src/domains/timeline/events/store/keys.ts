import type { StoreCondition } from './condition.ts';
import type { Branch, ColumnAtom, TermLead } from './plan.ts';
import { type Bind, heldIn, isOfKeys, pendingIn, sqlTypes, termsIn, testOf } from './tests.ts';

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
  if (lead.by === 'terms') return keysByTerms(branch, { lead, walk, bounds, limit, bind });
  const conditions = ['k.org_id = tenant.org', ...bounds, ...branch.tests.map((test) => testOf(test, 'k', bind))];
  const end = `order by ${order('k')} limit ${limit}`;
  if (lead.by === 'walk') return `select k.as_of, k.id from event k where ${conditions.join(' and ')} ${end}`;
  return `select k.as_of, k.id from unnest(${bind(lead.values, `${sqlTypes[lead.column]}[]`)}) v(value) cross join lateral (
    select k.as_of, k.id from event k where k.${lead.column} = v.value and ${conditions.join(' and ')} ${end}) k ${end}`;
}

/**
 * Along the lists of the rarest: what a stretch of hours holds is met with the other lists and put in order when the page
 * reaches it. What is not in the lists yet is found beside them.
 */
function keysByTerms(
  branch: Branch,
  { lead, walk, bounds, limit, bind }: { lead: TermLead; walk: Walk; bounds: string[]; limit: string; bind: Bind },
): string {
  const order = orderOf(walk);
  const way = walk.direction === 'older' ? 'desc' : 'asc';
  const [rarest = [], ...others] = lead.along;
  const end = `order by ${order('k')} limit ${limit}`;
  const tested = testedByKey(lead.beside ? [lead.beside, ...branch.tests] : branch.tests, bind);
  const listed = lead.beside
    ? { keys: keysBeside(lead, { column: lead.beside, branch, walk, bind }), conditions: [] }
    : { keys: `${listedKeys(lead, branch, walk, bind)} ${tested.row}`, conditions: tested.conditions };
  const place = isSingle(lead) ? `h.hour ${way}` : 'h.place';
  const alsoUnder = others.map((terms) => testOf({ is: 'terms', any: terms }, 'k', bind));
  const pending = `select distinct x.as_of, x.id from pend x where ${isOneOf('x.term', rarest, bind)}`;
  return `select k.as_of, k.id from ((
      select k.as_of, k.id from ${listed.keys}
      where ${['true', ...bounds, ...listed.conditions].join(' and ')} order by ${place}, ${order('k')} limit ${limit}
    ) union (
      select k.as_of, k.id from (${pending}) k ${tested.row}
      where ${['true', ...bounds, ...alsoUnder, ...tested.conditions].join(' and ')} ${end}
    )) k ${end}`;
}

/** Tests of keys `k`: what needs the row looks it up for each, since nobody knows how many there are until the page is full. */
function testedByKey(tests: readonly StoreCondition[], bind: Bind): { row: string; conditions: string[] } {
  if (tests.every(isOfKeys)) return { row: '', conditions: tests.map((test) => testOf(test, 'k', bind)) };
  const conditions = ['e.org_id = tenant.org', 'e.as_of = k.as_of', 'e.id = k.id'];
  const row = [...conditions, ...tests.map((test) => testOf(test, 'e', bind))].join(' and ');
  return { row: `cross join lateral (select from event e where ${row} offset 0) e`, conditions: [] };
}

/** The same along the index of a column, with what lies in the lists of each stretch. */
function keysBeside(
  { along }: TermLead,
  { column, branch, walk, bind }: { column: ColumnAtom; branch: Branch; walk: Walk; bind: Bind },
): string {
  const [rarest = []] = along;
  const conditions = [
    'k.org_id = tenant.org',
    testOf(column, 'k', bind),
    'k.as_of >= to_timestamp(h.first * 3600.0)',
    'k.as_of < to_timestamp((h.last + 1) * 3600.0)',
    ...along.map((terms) => isListed(terms, bind)),
    ...branch.tests.map((test) => testOf(test, 'k', bind)),
  ];
  return `${stretchesOf(rarest, branch, walk, bind)}
    cross join lateral (select k.as_of, k.id from event k where ${conditions.join(' and ')} offset 0) k`;
}

const isOneOf = (column: string, terms: readonly number[], bind: Bind) =>
  terms.length === 1 ? `${column} = ${bind(terms[0], 'bigint')}` : `${column} = any(${bind(terms, 'bigint[]')})`;

/** One word alone: its lists are read as they stand in their index, by `h.hour`. */
const isSingle = ({ along: [terms, ...others], beside }: TermLead) =>
  !beside && terms?.length === 1 && others.length === 0;

/** Keys `k` of the events that lie under one of each, with the place `h.place` of the stretch each lies in. */
function listedKeys(lead: TermLead, branch: Branch, walk: Walk, bind: Bind): string {
  const [rarest = [], ...others] = lead.along;
  if (isSingle(lead)) {
    const lists = listsOf(rarest, hoursOf(branch, walk, bind), bind);
    // Unfolded among the columns they would no longer be known to come in the order of their index.
    return `(select p.hour, ${heldIn('as_of')} as as_of, ${heldIn('id')} as id from ${lists}) h
      cross join lateral unnest(h.as_of, h.id) as k(as_of, id)`;
  }
  const unfolded = `unnest(${heldIn('as_of')}) as as_of, unnest(${heldIn('id')}) as id`;
  const once = rarest.length === 1 ? '' : 'distinct';
  const also = ['true', ...others.map((terms) => isListed(terms, bind))].join(' and ');
  return `${stretchesOf(rarest, branch, walk, bind)} cross join lateral (
      select ${once} k.as_of, k.id from (select ${unfolded} from ${listsOf(rarest, inStretch, bind)}) k
      where ${also} offset 0) k`;
}

const listsOf = (terms: readonly number[], hours: readonly string[], bind: Bind) =>
  `posting_list p where ${['p.org_id = tenant.org', isOneOf('p.term', terms, bind), ...hours].join(' and ')}`;

const inStretch = ['p.hour between h.first and h.last'];
const stretchesOfASize = 4;
const mostDoublings = 7;

/**
 * Stretches of hours `h`, from `first` to `last`, in the order of the walk by `place`, between the ends of these lists: four of
 * one hour at first, since a page of what is frequent needs no more, then four of twice as many, up to 128 hours, since where
 * little is found a stretch costs more than what is in it. So the last is at most a quarter of all that was read.
 */
function stretchesOf(terms: readonly number[], branch: Branch, walk: Walk, bind: Bind): string {
  const hours = ['p.org_id = tenant.org', 'p.term = t.term', ...hoursOf(branch, walk, bind)].join(' and ');
  const end = (way: string) => `(select l.hour from unnest(${bind(terms, 'bigint[]')}) as t(term)
    cross join lateral (select p.hour from posting_list p where ${hours} order by p.hour ${way} limit 1) l order by l.hour ${way} limit 1)`;
  const [near, far, sign] = walk.direction === 'older' ? ['desc', 'asc', '-'] : ['asc', 'desc', '+'];
  const doublings = `least(place / ${stretchesOfASize}, ${mostDoublings})`;
  const size = `(1 << ${doublings})`;
  const behind = `(${stretchesOfASize} * (${size} - 1) + (place - ${stretchesOfASize} * ${doublings}) * ${size})`;
  const [first, last] = [`near ${sign} ${behind}`, `near ${sign} (${behind} + ${size} - 1)`];
  const enough = `abs(near - far) / ${2 ** mostDoublings} + ${stretchesOfASize * mostDoublings}`;
  return `(select place, least(${first}, ${last}) as first, greatest(${first}, ${last}) as last
    from (select ${end(near)} as near, ${end(far)} as far offset 0) ends
    cross join lateral generate_series(0, ${enough}) as place order by place) h`;
}

/** `is true` keeps it from becoming a join whose way is guessed from sizes nobody knows: it is hashed once a stretch. */
const isListed = (terms: readonly number[], bind: Bind) =>
  `(k.id in (select unnest(${heldIn('id')}) from ${listsOf(terms, inStretch, bind)})) is true`;

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
