import type { Narrowing } from './filters.ts';

export interface Cursor {
  /** RFC 3339 UTC. */
  asOf: string;
  id: string;
}

export interface Question {
  orgId: string;
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
 * The SQL of one page: the keys first, along one ordered index and with the limit, then the rows they name. Words lead
 * where there are any, since a word is the narrowest thing that can be asked. Rows come in the direction of the walk.
 */
export function timelineQuery({ orgId, narrowing, direction, from, limit }: Question): TimelineQuery {
  const values: unknown[] = [orgId];
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`;
  const order = direction === 'older' ? 'desc' : 'asc';
  const { terms } = narrowing;
  const along = alongOf(narrowing, direction, from, bind);
  const columns = columnTests(narrowing, bind);
  const end = `order by k.as_of ${order}, k.id ${order} limit ${bind(limit, 'int')}`;
  const source = (table: string, tests: string[]) =>
    columns.length === 0
      ? `select k.as_of, k.id from ${table} k where ${[...tests, ...along].join(' and ')} ${end}`
      : `select k.as_of, k.id from ${table} k join event e on e.org_id = k.org_id and e.as_of = k.as_of and e.id = k.id
         where ${[...tests, ...along, ...columns].join(' and ')} ${end}`;
  const keys =
    terms.length === 0
      ? `select k.as_of, k.id from event k where ${['k.org_id = $1', ...along, ...columns.map((test) => test.replaceAll('e.', 'k.'))].join(' and ')} ${end}`
      : // An event's words are in one of the two, in any snapshot.
        `select as_of, id from ((${source('event_term', indexed(terms, bind))}) union all (${source(
          'event_term_pending',
          ['k.org_id = $1', `k.terms @> ${bind(terms, 'bigint[]')}`],
        )})) k ${end}`;
  const text = `select e.id, e.kind, e.as_of, e.received_at, e.source, e.summary from (${keys}) k
    join event e on e.org_id = $1 and e.as_of = k.as_of and e.id = k.id order by e.as_of ${order}, e.id ${order}`;
  return { text, values };
}

type Bind = (value: unknown, type: string) => string;

function indexed([lead, ...more]: number[], bind: Bind): string[] {
  return [
    'k.org_id = $1',
    `k.term = ${bind(lead, 'bigint')}`,
    ...more.map(
      (term) =>
        `exists (select from event_term m where m.org_id = $1 and m.term = ${bind(term, 'bigint')} and m.as_of = k.as_of and m.id = k.id)`,
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
