import type { ClickHouse } from '#providers/clickhouse.ts';
import type { StoreCondition } from '../store/condition.ts';
import type { BucketCount, BucketRange } from '../store/histogram.ts';
import type { EventWalk } from '../store/keys.ts';
import {
  type BindClickHouse,
  clickHouseConditionOf,
  createClickHouseBind,
  wordPartSql,
  wordPartsIn,
} from './condition.ts';
import { copyTable } from './table.ts';

/** The key of an event, with the parts of words that it shows. */
export interface MarkedKey {
  /** A time in the format of PostgreSQL. */
  asOf: string;
  id: string;
  /** One bit per part. */
  marks: number;
}

/** The next keys of a walk that may match a condition, in order, up to its limit. A key may occur twice in a row. */
export function keysInCopy(
  clickhouse: ClickHouse,
  orgId: string,
  condition: StoreCondition,
  walk: EventWalk,
): Promise<MarkedKey[]> {
  const { bind, values } = createClickHouseBind();
  const [orderSql, sign] = walk.direction === 'older' ? ['desc', '<'] : ['asc', '>'];
  const { from } = walk;
  const time = from && bind(from.asOf.replace('T', ' ').replace('Z', ''), "DateTime64(6, 'UTC')");
  // IDs are compared as text, since ClickHouse orders UUIDs differently.
  const bound = from
    ? `and (as_of ${sign} ${time} or (as_of = ${time} and toString(id) ${sign} ${bind(from.id, 'String')}))`
    : '';
  const text = `
    select toString(as_of), toString(id), ${marksOf(condition, bind)} from ${copyTable}
    where org_id = ${bind(orgId, 'UUID')} and ${clickHouseConditionOf(condition, bind).sql} ${bound}
    order by as_of ${orderSql}, toString(id) ${orderSql} limit ${walk.limit}`;
  return marked(clickhouse, text, values);
}

/** The marks of these keys; keys without a copy are omitted. */
export function wordPartMarksAt(
  clickhouse: ClickHouse,
  orgId: string,
  condition: StoreCondition,
  keys: readonly { asOf: string; id: string }[],
): Promise<MarkedKey[]> {
  const { bind, values } = createClickHouseBind();
  const times = bind(
    keys.map(({ asOf }) => asOf),
    "Array(DateTime64(6, 'UTC'))",
  );
  const ids = bind(
    keys.map(({ id }) => id),
    'Array(UUID)',
  );
  const text = `
    select toString(as_of), toString(id), ${marksOf(condition, bind)} from ${copyTable}
    where org_id = ${bind(orgId, 'UUID')} and (as_of, id) in (select arrayJoin(arrayZip(${times}, ${ids})))`;
  return marked(clickhouse, text, values);
}

async function marked(
  clickhouse: ClickHouse,
  text: string,
  values: ReturnType<typeof createClickHouseBind>['values'],
): Promise<MarkedKey[]> {
  const rows = await clickhouse.read<[time: string, id: string, marks: number]>(text, values);
  return rows.map(([time, id, marks]) => ({ asOf: `${time}+00`, id, marks: Number(marks) }));
}

const marksOf = (condition: StoreCondition, bind: BindClickHouse) =>
  wordPartsIn(condition)
    .map(({ text, bit }) => `if(${wordPartSql(text, bind)}, ${bit}, 0)`)
    .reduce((all, one) => `bitOr(${all}, ${one})`, 'toUInt32(0)');

/** Counts all events of a condition in buckets; undefined if the rows do not cover the condition. */
export async function countBucketsInCopy(
  clickhouse: ClickHouse,
  orgId: string,
  condition: StoreCondition,
  { start, size }: BucketRange,
): Promise<BucketCount[] | undefined> {
  const { bind, values } = createClickHouseBind();
  const { sql, whole } = clickHouseConditionOf(condition, bind);
  if (!whole) return undefined;
  const rows = await clickhouse.read<[place: number, kind: BucketCount['kind'], n: number]>(
    `select toInt64(floor((toUnixTimestamp64Milli(as_of) - ${bind(start, 'Int64')}) / ${bind(size, 'Int64')})) as place, kind, count()
     from ${copyTable} final where org_id = ${bind(orgId, 'UUID')} and ${sql} group by place, kind`,
    values,
  );
  return rows.map(([place, kind, n]) => ({ place: Number(place), kind, n: Number(n) }));
}
