import { NIL_UUID } from '#core/ids.ts';
import type { ClickHouseParameters } from '#providers/clickhouse.ts';
import type { ConditionAtom, StoreCondition } from '../store/condition.ts';
import { wordPartPatternOf } from './word-parts.ts';

/** Binds a value as a parameter of a type and returns its placeholder in the SQL. */
export type BindClickHouse = (value: ClickHouseParameters[string], type: string) => string;

/** The bound values of one statement, by parameter name. */
export function createClickHouseBind(): { bind: BindClickHouse; values: Record<string, ClickHouseParameters[string]> } {
  const values: Record<string, ClickHouseParameters[string]> = {};
  const bind: BindClickHouse = (value, type) => {
    const name = `v${Object.keys(values).length}`;
    values[name] = value;
    return `{${name}:${type}}`;
  };
  return { bind, values };
}

export interface SqlCondition {
  sql: string;
  /** False if the SQL covers only part of the condition, so that its results need another test. */
  whole: boolean;
}

/** The SQL of the part of a condition that these rows can answer; NOT occurs only at atoms. */
export function clickHouseConditionOf(condition: StoreCondition, bind: BindClickHouse): SqlCondition {
  switch (condition.is) {
    case 'all':
      return { sql: '1', whole: true };
    case 'none':
      return { sql: '0', whole: true };
    case 'and': {
      const parts = condition.of.map((part) => clickHouseConditionOf(part, bind));
      const tests = parts.filter(({ sql }) => sql !== '1').map(({ sql }) => sql);
      return { sql: tests.length === 0 ? '1' : `(${tests.join(' and ')})`, whole: parts.every(({ whole }) => whole) };
    }
    case 'or': {
      const parts = condition.of.map((part) => clickHouseConditionOf(part, bind));
      const sql = parts.some((part) => part.sql === '1') ? '1' : `(${parts.map((part) => part.sql).join(' or ')})`;
      return { sql, whole: parts.every(({ whole }) => whole) };
    }
    case 'not': {
      const of = clickHouseConditionOf(condition.of, bind);
      return of.whole ? { sql: `not (${of.sql})`, whole: true } : { sql: '1', whole: false };
    }
    default: {
      const sql = atomOf(condition, bind);
      return sql === undefined ? { sql: '1', whole: false } : { sql, whole: true };
    }
  }
}

const types = { kind: 'String', source: 'String', repo: 'UUID', actor: 'UUID', id: 'UUID', pr: 'Int32' } as const;

/** Undefined for words and field values, which these rows do not contain. */
function atomOf(atom: ConditionAtom, bind: BindClickHouse): string | undefined {
  switch (atom.is) {
    case 'column':
      return `has(${bind(atom.any, `Array(${types[atom.column]})`)}, ${atom.column})`;
    case 'present':
      return atom.column === 'pr' ? 'pr > 0' : `${atom.column} != '${NIL_UUID}'`;
    case 'numbered':
      return `(${[
        'pr > 0',
        ...(atom.from === null ? [] : [`pr >= ${bind(atom.from, 'Int64')}`]),
        ...(atom.to === null ? [] : [`pr <= ${bind(atom.to, 'Int64')}`]),
      ].join(' and ')})`;
    case 'time':
      return `(${[
        '1',
        ...(atom.from === null ? [] : [`as_of >= ${momentOf(atom.from, bind)}`]),
        ...(atom.to === null ? [] : [`as_of < ${momentOf(atom.to, bind)}`]),
      ].join(' and ')})`;
    case 'clock': {
      const local = `addMinutes(as_of, ${bind(atom.offset, 'Int32')})`;
      const unit = atom.unit === 'hour' ? `toHour(${local})` : `toDayOfWeek(${local}) - 1`;
      return `has(${bind(atom.any, 'Array(Int16)')}, ${unit})`;
    }
    case 'late':
      return 'late';
    case 'part':
      return wordPartSql(atom.text, bind);
    default:
      return undefined;
  }
}

const momentOf = (time: number, bind: BindClickHouse) => `fromUnixTimestamp64Milli(${bind(time, 'Int64')}, 'UTC')`;

/** The word index answers LIKE for any part of a word; the pattern then tests the remaining rows. */
export function wordPartSql(text: string, bind: BindClickHouse): string {
  const { piece, pattern } = wordPartPatternOf(text);
  const like = `shown like ${bind(`%${piece.replaceAll(/[\\%_]/g, '\\$&')}%`, 'String')}`;
  return pattern === undefined ? `(${like})` : `(${like} and match(shown, ${bind(pattern, 'String')}))`;
}

/** The parts of words in a condition, each with its bit. */
export function wordPartsIn(condition: StoreCondition): (ConditionAtom & { is: 'part' })[] {
  if (condition.is === 'and' || condition.is === 'or') return condition.of.flatMap(wordPartsIn);
  if (condition.is === 'not') return wordPartsIn(condition.of);
  return condition.is === 'part' ? [condition] : [];
}
