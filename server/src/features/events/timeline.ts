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
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const [lead, ...more] = narrowing.terms;
  const key = lead === undefined ? 'e' : 't';
  const order = direction === 'older' ? 'desc' : 'asc';
  const where = [`${key}.org_id = $1`];
  if (lead !== undefined) where.push(`t.term = ${bind(lead, 'bigint')}`);
  for (const term of more) {
    where.push(
      `exists (select from event_term m where m.org_id = $1 and m.term = ${bind(term, 'bigint')} and m.as_of = t.as_of and m.id = t.id)`,
    );
  }
  if (from)
    where.push(
      `(${key}.as_of, ${key}.id) ${direction === 'older' ? '<' : '>'} (${bind(from.asOf, 'timestamptz')}, ${bind(from.id, 'uuid')})`,
    );
  if (narrowing.after !== undefined) where.push(`${key}.as_of >= ${bind(narrowing.after, 'timestamptz')}`);
  if (narrowing.before !== undefined) where.push(`${key}.as_of < ${bind(narrowing.before, 'timestamptz')}`);
  for (const [column, type, choices] of columnsOf(narrowing)) {
    for (const { any, not } of choices) {
      const [only] = any;
      // One value keeps the index in order; several need a look at each row.
      const test =
        any.length === 1 ? `e.${column} = ${bind(only, type)}` : `e.${column} = any(${bind(any, `${type}[]`)})`;
      where.push(not ? `(${test}) is not true` : test);
    }
  }
  const tables =
    lead === undefined
      ? 'event e'
      : 'event_term t join event e on e.org_id = t.org_id and e.as_of = t.as_of and e.id = t.id';
  const keys = `select ${key}.as_of, ${key}.id from ${tables} where ${where.join(' and ')} order by ${key}.as_of ${order}, ${key}.id ${order} limit ${bind(limit, 'int')}`;
  const text = `select e.id, e.kind, e.as_of, e.received_at, e.source, e.summary from (${keys}) k
    join event e on e.org_id = $1 and e.as_of = k.as_of and e.id = k.id order by e.as_of ${order}, e.id ${order}`;
  return { text, values };
}

const columnsOf = (narrowing: Narrowing) =>
  [
    ['kind', 'text', narrowing.kinds],
    ['repo', 'uuid', narrowing.repositories],
    ['actor', 'uuid', narrowing.actors],
    ['pr', 'int', narrowing.pullRequests],
  ] as const;
