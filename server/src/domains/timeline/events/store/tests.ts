import { storedIdentMark } from '#core/event-text.ts';
import type { ConditionAtom, ShareBound, StoreColumn, StoreCondition } from './condition.ts';
import { partsAroundSecondSql, secondSql } from './hour-parts.ts';

/** Binds a value as a parameter of a type and returns its placeholder in the SQL. */
export type BindPostgres = (value: unknown, type: string) => string;

export const sqlTypes: Record<StoreColumn, string> = {
  kind: 'text',
  repo: 'uuid',
  actor: 'uuid',
  pr: 'int',
  source: 'text',
  id: 'uuid',
};

const keyConditions: ReadonlySet<StoreCondition['is']> = new Set(['terms', 'time', 'clock', 'share', 'all', 'none']);

/** Whether the key of an event suffices to test a condition. */
export function isKeyCondition(condition: StoreCondition): boolean {
  if (condition.is === 'and' || condition.is === 'or') return condition.of.every(isKeyCondition);
  if (condition.is === 'not') return isKeyCondition(condition.of);
  return keyConditions.has(condition.is);
}

/** The terms that the test of a condition reads. */
export function termsInCondition(condition: StoreCondition): (readonly number[])[] {
  if (condition.is === 'and' || condition.is === 'or') return condition.of.flatMap(termsInCondition);
  if (condition.is === 'not') return termsInCondition(condition.of);
  return condition.is === 'terms' ? [condition.any] : [];
}

/** SQL that reads the pending rows of these terms once per statement, as `pend`; empty without terms. */
export function pendingTermsSql(terms: readonly (readonly number[])[], bind: BindPostgres): string {
  if (terms.length === 0) return '';
  // Concatenation with an empty array detoasts each array once, and not for every element.
  return `with pend as materialized (
    select w.term, p.as_of[w.place] as as_of, p.id[w.place] as id
    from (select as_of || '{}'::timestamptz[] as as_of, id || '{}'::uuid[] as id, terms, places
      from posting_pending where org_id = tenant.org offset 0) p
    cross join lateral unnest(p.terms, p.places) as w(term, place)
    where w.term = any(${bind([...new Set(terms.flat())], 'bigint[]')})) `;
}

/**
 * SQL that tests a row `row` of events, or of their keys if those suffice; never null. With `inParts`, terms are looked up in the
 * lists of a few seconds, which costs more than the lists of an hour unless it is dense.
 */
export function conditionSql(condition: StoreCondition, row: string, bind: BindPostgres, inParts = false): string {
  switch (condition.is) {
    case 'and':
    case 'or':
      return `(${condition.of.map((part) => conditionSql(part, row, bind, inParts)).join(` ${condition.is} `)})`;
    case 'not':
      return `(${conditionSql(condition.of, row, bind, inParts)}) is not true`;
    case 'all':
      return 'true';
    case 'none':
      return 'false';
    default:
      return condition.is === 'terms'
        ? underTerms(condition.any, { row, bind, inParts })
        : atomTest(condition, row, bind);
  }
}

function atomTest(atom: Exclude<ConditionAtom, { is: 'terms' }>, row: string, bind: BindPostgres): string {
  switch (atom.is) {
    case 'column': {
      const type = sqlTypes[atom.column];
      const [only] = atom.any;
      // One value keeps the order of an index; several need a test of each row.
      return atom.any.length === 1
        ? `${row}.${atom.column} = ${bind(only, type)}`
        : `${row}.${atom.column} = any(${bind(atom.any, `${type}[]`)})`;
    }
    case 'present':
      return `${row}.${atom.column} is not null`;
    case 'numbered':
      return between(`${row}.pr`, { from: atom.from, end: '<=', to: atom.to, bind: (value) => bind(value, 'int') });
    case 'time':
      return between(`${row}.as_of`, {
        from: atom.from,
        end: '<',
        to: atom.to,
        bind: (value) => bind(new Date(value).toISOString(), 'timestamptz'),
      });
    case 'clock':
      return `${clockSql[atom.unit](`${row}.as_of`, bind(atom.offset, 'int'))} = any(${bind(atom.any, 'int[]')})`;
    case 'late':
      return `${row}.received_at > ${row}.as_of + interval '5 minutes'`;
    case 'shows': {
      // The stored form contains names and titles as in JSON.
      const text = bind(JSON.stringify(atom.text).slice(1, -1), 'text');
      return `(strpos(lower(${row}.summary), ${text}) > 0 or strpos(lower(${row}.detail), ${text}) > 0)`;
    }
    case 'part':
      return `(m.marks & ${bind(atom.bit, 'int')}) <> 0`;
    case 'sha': {
      // The second form is that of texts that could not be shortened.
      const forms = [`${storedIdentMark}${atom.prefix}`, `"ident":"${atom.prefix}`].map((text) => bind(text, 'text'));
      return `(${forms.map((text) => `strpos(${row}.summary, ${text}) > 0 or strpos(${row}.detail, ${text}) > 0`).join(' or ')})`;
    }
    case 'recorded':
      return `exists (select from (
        select self_approved, missing, parts from change_record where org_id = tenant.org and repository_id = ${row}.repo and number = ${row}.pr
        order by version desc limit 1) c where ${recorded[atom.as]})`;
    case 'direct':
      return `exists (select from reached_commit r where r.org_id = tenant.org and r.repository_id = ${row}.repo
        and r.sha = substring(${row}.summary from '(?:${storedIdentMark}|"ident":")([0-9a-f]{40,64})(?![0-9a-f])') and ${directSql('r')})`;
    case 'share':
      return `exists (select from ai_share s where s.org_id = tenant.org and s.event_id = ${row}.id and ${[
        ...endOf('>', atom.from, bind),
        ...endOf('<', atom.to, bind),
      ].join(' and ')})`;
  }
}

/** SQL of the weekday (0 is Monday) and the hour of a time, from an offset in minutes east of UTC. */
const clockSql = {
  // 1970 began on a Thursday. Times are not before that year, local times by at most a day.
  weekday: (time: string, offset: string) => `((${localHourSql(time, offset)} / 24 + 10) % 7)`,
  hour: (time: string, offset: string) => `(${localHourSql(time, offset)} % 24)`,
};
/** Hours since a week before 1970, which are never negative. */
const localHourSql = (time: string, offset: string) =>
  `floor(date_part('epoch', ${time}) / 3600 + ${offset} / 60.0 + 168)::int`;

/** SQL that tests whether a row of reached_commit is the newest of its commit and push, and names no pull request. */
export const directSql = (row: string) => `${row}.reached_by = 'none' and not exists (
  select from reached_commit n where n.org_id = ${row}.org_id and n.push_id = ${row}.push_id and n.sha = ${row}.sha
    and n.version > ${row}.version)`;

const recorded = {
  unreviewed: `(c.parts->'reviews') @> '{"state": "complete", "value": []}' and c.parts->'reviews'->'value' = '[]'`,
  'self-approved': 'c.self_approved',
  gap: `c.missing <> '{}'`,
} as const;

const endOf = (sign: '<' | '>', end: ShareBound | null, bind: BindPostgres) =>
  end === null ? [] : [`s.share ${sign}${end.included ? '=' : ''} ${bind(end.share, 'double precision')}`];

function between(
  column: string,
  { from, end, to, bind }: { from: number | null; end: '<' | '<='; to: number | null; bind: (value: number) => string },
): string {
  const parts = [
    ...(from === null ? [] : [`${column} >= ${bind(from)}`]),
    ...(to === null ? [] : [`${column} ${end} ${bind(to)}`]),
  ];
  return parts.length === 0 ? 'true' : `(${parts.join(' and ')})`;
}

/**
 * The events of a list `p`: its own, or those of the list it refers to. An expression, since a join would cost more
 * than the list itself.
 */
export const listColumnSql = (column: 'as_of' | 'id') => `case when p.same_as is null then p.${column} else (
    select s.${column} from posting_list s where s.org_id = tenant.org and s.term = p.same_as and s.hour = p.hour and s.part = p.part and s.seq = p.seq) end`;

/** SQL that tests whether a row is in the lists of its hour, or pending. */
function underTerms(
  terms: readonly number[],
  { row, bind, inParts }: { row: string; bind: BindPostgres; inParts: boolean },
): string {
  const any = bind(terms, 'bigint[]');
  const part = inParts ? `and p.part = any(array(${partsAroundSecondSql(secondSql(`${row}.as_of`))}))` : '';
  return `(exists (select from posting_list p where p.org_id = tenant.org and p.term = any(${any}) and p.hour = ${hourSql(`${row}.as_of`)} ${part}
      and ${row}.id = any(${listColumnSql('id')})) or ${row}.id in (select x.id from pend x where x.term = any(${any})))`;
}

/** SQL of the hour of a time since 1970, as in posting lists. */
export const hourSql = (time: string) => `floor(extract(epoch from ${time}) / 3600)::int`;
