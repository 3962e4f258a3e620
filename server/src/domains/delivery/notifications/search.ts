import { severities } from '@sightline/contract/core/severities.ts';
import type {
  FreeText,
  Node,
  Predicate,
  Qualifier,
  QualifierValue,
} from '@sightline/contract/timeline/query-language/ast.ts';
import type { QueryProblem } from '@sightline/contract/timeline/query-language/errors.ts';
import { normalizeQuery } from '@sightline/contract/timeline/query-language/normalize-query.ts';
import { parseQuery } from '@sightline/contract/timeline/query-language/parse.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { Refusal } from '#core/errors.ts';
import { likePatternOf } from '#database/page.ts';
import { dateRangeIn } from './zone.ts';

type SearchCondition = RawBuilder<unknown>;
type SearchReader = Pick<Actor, 'orgId' | 'accountId'> & {
  /** The time zone of the reader, in which days begin. */
  zone: string;
};

/** The searchable text of a notification `n`. */
export const textOf = sql`(n.title || ' ' || n.titles || ' ' || n.body || ' ' || coalesce(n.actor->>'name', ''))`;

/** Compiles a query to a condition on notifications `n`. Throws 400 for an invalid query. */
export function conditionOf(query: string, reader: SearchReader): SearchCondition {
  const parsed = parseQuery(query, { infixWildcards: true });
  if ('problem' in parsed) throw refusalOf(parsed.problem);
  return parsed.node ? ofNode(normalizeQuery(parsed.node), reader) : sql`true`;
}

const refusalOf = ({ code, message, start, end, expected }: QueryProblem) =>
  new Refusal(code, message, { query: { start, end, expected: [...expected] } });

function ofNode(node: Node, reader: SearchReader): SearchCondition {
  switch (node.kind) {
    case 'text':
      return ofText(node);
    case 'not':
      return sql`not coalesce(${ofNode(node.of, reader)}, false)`;
    case 'and':
    case 'or': {
      const parts = node.of.map((part) => sql`(${ofNode(part, reader)})`);
      return sql.join(parts, node.kind === 'and' ? sql` and ` : sql` or `);
    }
    case 'qualifier':
      return ofQualifier(node, reader);
  }
}

/** Matches whole words, unless there is an asterisk, as Explore does. */
function ofText({ mode, text }: FreeText): SearchCondition {
  if (mode === 'part') return sql`${textOf} ilike ${`%${likePatternOf(text)}%`}`;
  const words = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return sql`${textOf} ~* ${`(^|\\W)${words}${mode === 'prefix' ? '' : '(\\W|$)'}`}`;
}

const supportedQualifiers = ['repo:', 'severity:', 'actor:', 'after:', 'before:', 'on:', 'date:'];

function ofQualifier({ key, test, start, end }: Qualifier, reader: SearchReader): SearchCondition {
  switch (key) {
    case 'repo':
      return (
        anyOf(test, (value) => {
          const name = matches(sql`r.full_name`, value);
          return sql`n.repository_id in (select r.id from repository r where r.org_id = ${reader.orgId} and ${name})`;
        }) ?? sql`n.repository_id is not null`
      );
    case 'actor':
      return (
        anyOf(test, (value) =>
          value.text === '@me' ? sql`n.actor->>'id' = ${reader.accountId}` : matches(sql`(n.actor->>'name')`, value),
        ) ?? sql`n.actor is not null`
      );
    case 'severity':
      return ofSeverity(test);
    case 'after':
    case 'before':
    case 'on':
    case 'date':
      return ofTime(key, test, reader);
    default:
      throw refusalOf({
        code: 'query_invalid',
        message: `Notifications have no ${key}.`,
        start,
        end,
        expected: supportedQualifiers,
      });
  }
}

/** Matches any of the values; undefined for a test of existence. */
function anyOf(test: Predicate, of: (value: QualifierValue) => SearchCondition): SearchCondition | undefined {
  if (test.kind !== 'any') return undefined;
  return sql`(${sql.join(test.values.map(of), sql` or `)})`;
}

const matches = (column: SearchCondition, { text, wild }: QualifierValue): SearchCondition =>
  sql`${column} ilike ${wild ? likePatternOf(text) : text.replace(/[\\%_]/g, '\\$&')}`;

// A higher severity has a smaller index.
function ofSeverity(test: Predicate): SearchCondition {
  const names: readonly string[] = severities;
  const rank = ({ text }: QualifierValue) => names.indexOf(text.toLowerCase());
  switch (test.kind) {
    case 'any':
      return sql`n.severity = any(${test.values.map(rank)}::int[])`;
    case 'compare': {
      const value = rank(test.value);
      const compared = { '>=': sql`<=`, '<=': sql`>=`, '>': sql`<`, '<': sql`>` }[test.operator];
      return sql`n.severity ${compared} ${value}`;
    }
    case 'range': {
      // Both orders of the ends are valid.
      const ends = [test.from, test.to].map((value) => (value ? rank(value) : undefined));
      const [from, to] = ends;
      if (from === undefined) return sql`n.severity >= ${to ?? 0}`;
      if (to === undefined) return sql`n.severity <= ${from}`;
      return sql`n.severity between ${Math.min(from, to)} and ${Math.max(from, to)}`;
    }
    case 'exists':
      return sql`true`;
  }
}

function ofTime(key: 'after' | 'before' | 'on' | 'date', test: Predicate, { zone }: SearchReader): SearchCondition {
  const now = Date.now();
  const rangeOf = ({ text }: QualifierValue) => dateRangeIn(zone, text, now);
  const from = (ms: number) => sql`n.updated_at >= ${new Date(ms)}::timestamptz`;
  const until = (ms: number) => sql`n.updated_at < ${new Date(ms)}::timestamptz`;
  if (test.kind === 'any') {
    return sql.join(
      test.values.map((value) => {
        const { from: begin, to: end } = rangeOf(value);
        if (key === 'after') return from(begin);
        if (key === 'before') return until(begin);
        return sql`(${from(begin)} and ${until(Math.max(end, begin + 1))})`;
      }),
      sql` or `,
    );
  }
  if (test.kind === 'compare') {
    const { from: begin, to: end } = rangeOf(test.value);
    return { '>=': from(begin), '>': from(end), '<': until(begin), '<=': until(Math.max(end, begin + 1)) }[
      test.operator
    ];
  }
  if (test.kind === 'range') {
    const [begin, end] = [test.from && rangeOf(test.from).from, test.to && rangeOf(test.to).to];
    return sql`${begin === null ? sql`true` : from(begin)} and ${end === null ? sql`true` : until(end)}`;
  }
  return sql`true`;
}
