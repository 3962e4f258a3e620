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
 * name, so that no row is fetched in vain. Words lead where there are any, since a word is the narrowest thing that can
 * be asked. Rows come in the direction of the walk.
 */
export function timelineQuery({ narrowing, direction, from, limit }: Question): TimelineQuery {
  // $1 is the organisation
  const values: unknown[] = [];
  const bind: Bind = (value, type) => `$${values.push(value) + 1}::${type}`;
  const order = direction === 'older' ? 'desc' : 'asc';
  const along = alongOf(narrowing, direction, from, bind);
  const tests = columnTests(narrowing, bind);
  const end = `order by k.as_of ${order}, k.id ${order} limit ${bind(limit, 'int')}`;
  const page =
    narrowing.terms.length > 0
      ? rowsOf(keysByWords(narrowing.terms, along, tests, end, bind), order)
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

/** An event's words are in the index or still pending, in any snapshot in one of the two. */
function keysByWords(terms: number[], along: string[], tests: string[], end: string, bind: Bind): string {
  const source = (table: string, words: string[]) =>
    tests.length === 0
      ? `select k.as_of, k.id from ${table} k where ${[...words, ...along].join(' and ')} ${end}`
      : `select k.as_of, k.id from ${table} k join event e on e.org_id = k.org_id and e.as_of = k.as_of and e.id = k.id
         where ${[...words, ...along, ...tests].join(' and ')} ${end}`;
  const found = source('event_term', indexed(terms, bind));
  const pending = source('event_term_pending', ['k.org_id = tenant.org', `k.terms @> ${bind(terms, 'bigint[]')}`]);
  return `select as_of, id from ((${found}) union all (${pending})) k ${end}`;
}

type Bind = (value: unknown, type: string) => string;

function indexed([lead, ...more]: number[], bind: Bind): string[] {
  return [
    'k.org_id = tenant.org',
    `k.term = ${bind(lead, 'bigint')}`,
    ...more.map(
      (term) =>
        `exists (select from event_term m where m.org_id = tenant.org and m.term = ${bind(term, 'bigint')} and m.as_of = k.as_of and m.id = k.id)`,
    ),
  ];
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
  ] as const;
