import type { Narrowing } from './filters.ts';

export interface Cursor {
  /** RFC 3339 UTC. */
  asOf: string;
  id: string;
}

export interface Question {
  narrowing: Narrowing;
  direction: 'older' | 'newer';
  from: Cursor | undefined;
  limit: number;
}

export interface TimelineQuery {
  text: string;
  values: unknown[];
}

/**
 * The SQL of one page, to follow `with tenant as (…)`: along one ordered index and with the limit. A single filter has an
 * index of its own whose next rows are the page. Several filters, or words, find the keys first and then the rows they
 * name, so that no row is fetched in vain. Words lead where there are any, the rarest first, since a word is the narrowest
 * thing that can be asked. Rows come in the direction of the walk.
 */
export function timelineQuery(question: Question): TimelineQuery {
  const { narrowing, direction, from, limit } = question;
  // $1 is the organisation
  const values: unknown[] = [];
  const bind: Bind = (value, type) => `$${values.push(value) + 1}::${type}`;
  const order = direction === 'older' ? 'desc' : 'asc';
  const along = alongOf(narrowing, direction, from, bind);
  const tests = columnTests(narrowing, bind);
  const end = `order by k.as_of ${order}, k.id ${order} limit ${bind(limit, 'int')}`;
  const page =
    narrowing.terms.length > 0
      ? rowsOf(keysByWords(question, along, tests, end, bind), order)
      : tests.length > 1
        ? rowsOf(`select k.as_of, k.id ${walk(along, tests, end)}`, order)
        : `select ${columns('k')} ${walk(along, tests, end)}`;
  // The lateral join makes PostgreSQL name the tenant before it looks at the first row; the limit keeps it one.
  return { text: `select page.* from tenant cross join lateral (${page}) page`, values };
}

const columns = (table: string) =>
  ['id', 'kind', 'as_of', 'received_at', 'source', 'summary'].map((column) => `${table}.${column}`).join(', ');

const walk = (along: string[], tests: string[], end: string) =>
  `from event k where ${['k.org_id = tenant.org', ...along, ...tests.map((test) => test.replaceAll('e.', 'k.'))].join(' and ')} ${end}`;

/** The rows that keys name. `offset 0` keeps the planner from drawing the join apart. */
const rowsOf = (keys: string, order: string) => `select ${columns('e')} from (${keys}) k
  join event e on e.org_id = tenant.org and e.as_of = k.as_of and e.id = k.id
  order by e.as_of ${order}, e.id ${order} offset 0`;

type Bind = (value: unknown, type: string) => string;

/** An event's words are in the lists or still pending, in any snapshot in one of the two. */
function keysByWords(question: Question, along: string[], tests: string[], end: string, bind: Bind): string {
  const { narrowing, direction } = question;
  const { terms } = narrowing;
  const event = tests.length === 0 ? '' : 'join event e on e.org_id = tenant.org and e.as_of = k.as_of and e.id = k.id';
  const conditions = ['true', ...along, ...tests].join(' and ');
  const order = direction === 'older' ? 'desc' : 'asc';
  // Hour by hour along the index: what an hour holds is put in order when the page reaches it.
  const listed = `select k.as_of, k.id from ${listedKeys(terms, hoursOf(question, bind), order, bind)} ${event}
    where ${conditions} ${end.replace('order by', `order by h.hour ${order},`)}`;
  const pending = `select k.as_of, k.id from posting_pending p cross join lateral (
      select as_of, id from unnest(p.as_of, p.id) with ordinality as x(as_of, id, place) where place in (
        select place from unnest(p.terms, p.places) as w(term, place) where term = any(${bind(terms, 'bigint[]')})
        group by place having count(*) = ${bind(terms.length, 'int')})) k ${event}
    where p.org_id = tenant.org and ${conditions} ${end}`;
  return `select as_of, id from ((${listed}) union all (${pending})) k ${end}`;
}

/** Keys `k` of the events that hold every term, with the hour `h.hour` each lies in; the first term leads. */
function listedKeys(terms: number[], hours: string[], order: string, bind: Bind): string {
  const listsOf = (term: number | undefined, within: string[]) =>
    `posting_list p where ${['p.org_id = tenant.org', `p.term = ${bind(term, 'bigint')}`, ...within].join(' and ')}`;
  const [lead] = terms;
  if (terms.length === 1) {
    return `(select hour, as_of, id from ${listsOf(lead, hours)}) h cross join lateral unnest(h.as_of, h.id) as k(as_of, id)`;
  }
  const each = terms.map(
    (term) => `select k.* from (select as_of, id from ${listsOf(term, ['p.hour = h.hour'])}) l,
      unnest(l.as_of, l.id) as k(as_of, id)`,
  );
  return `(select distinct hour from ${listsOf(lead, hours)} order by hour ${order}) h
    cross join lateral (${each.join(' intersect ')}) k`;
}

/** The hours that can hold what the page may show. */
function hoursOf({ narrowing: { after, before }, direction, from }: Question, bind: Bind): string[] {
  const test = (operator: '<=' | '>=', time: string | undefined) =>
    time === undefined ? [] : [`p.hour ${operator} ${bind(Math.floor(Date.parse(time) / 3_600_000), 'int')}`];
  return [...test('>=', after), ...test('<=', before), ...test(direction === 'older' ? '<=' : '>=', from?.asOf)];
}

/** Where along time the page begins and what bounds it. */
function alongOf(
  { after, before }: Narrowing,
  direction: Question['direction'],
  from: Cursor | undefined,
  bind: Bind,
): string[] {
  return [
    ...(from
      ? [
          `(k.as_of, k.id) ${direction === 'older' ? '<' : '>'} (${bind(from.asOf, 'timestamptz')}, ${bind(from.id, 'uuid')})`,
        ]
      : []),
    ...(after === undefined ? [] : [`k.as_of >= ${bind(after, 'timestamptz')}`]),
    ...(before === undefined ? [] : [`k.as_of < ${bind(before, 'timestamptz')}`]),
  ];
}

function columnTests(narrowing: Narrowing, bind: Bind): string[] {
  return columnsOf(narrowing).flatMap(([column, type, choices]) =>
    choices.map(({ any, not }) => {
      const [only] = any;
      // One value keeps the index in order; several need a look at each row.
      const test =
        any.length === 1 ? `e.${column} = ${bind(only, type)}` : `e.${column} = any(${bind(any, `${type}[]`)})`;
      return not ? `(${test}) is not true` : test;
    }),
  );
}

const columnsOf = (narrowing: Narrowing) =>
  [
    ['kind', 'text', narrowing.kinds],
    ['repo', 'uuid', narrowing.repositories],
    ['actor', 'uuid', narrowing.actors],
    ['pr', 'int', narrowing.pullRequests],
    ['id', 'uuid', narrowing.events],
  ] as const;
