import type { ClickHouse } from '#providers/clickhouse.ts';
import type { StoreCondition } from '../store/condition.ts';
import type { BucketCount, Buckets } from '../store/histogram.ts';
import type { Walk } from '../store/keys.ts';
import { type Bind, binding, partOf, partsIn, saidOf } from './condition.ts';
import { table } from './table.ts';

/** The key of an event, and which of the asked parts of words it shows. */
export interface MarkedKey {
  /** As PostgreSQL reads a time. */
  asOf: string;
  id: string;
  /** A bit for each part. */
  marks: number;
}

/** The next keys in the direction of a walk that may fit a condition. In order, up to its limit; one may come twice in a row. */
export function keysOf(
  clickhouse: ClickHouse,
  orgId: string,
  condition: StoreCondition,
  walk: Walk,
): Promise<MarkedKey[]> {
  const { bind, values } = binding();
  const [way, sign] = walk.direction === 'older' ? ['desc', '<'] : ['asc', '>'];
  const { from } = walk;
  const time = from && bind(from.asOf.replace('T', ' ').replace('Z', ''), "DateTime64(6, 'UTC')");
  // Ids are compared as text: this store has an order of its own for them.
  const bound = from
    ? `and (as_of ${sign} ${time} or (as_of = ${time} and toString(id) ${sign} ${bind(from.id, 'String')}))`
    : '';
  const text = `
    select toString(as_of), toString(id), ${marksOf(condition, bind)} from ${table}
    where org_id = ${bind(orgId, 'UUID')} and ${saidOf(condition, bind).sql} ${bound}
    order by as_of ${way}, toString(id) ${way} limit ${walk.limit}`;
  return marked(clickhouse, text, values);
}

/** Which of these show what; those that are not here are left out. */
export function marksAt(
  clickhouse: ClickHouse,
  orgId: string,
  condition: StoreCondition,
  keys: readonly { asOf: string; id: string }[],
): Promise<MarkedKey[]> {
  const { bind, values } = binding();
  const times = bind(
    keys.map(({ asOf }) => asOf),
    "Array(DateTime64(6, 'UTC'))",
  );
  const ids = bind(
    keys.map(({ id }) => id),
    'Array(UUID)',
  );
  const text = `
    select toString(as_of), toString(id), ${marksOf(condition, bind)} from ${table}
    where org_id = ${bind(orgId, 'UUID')} and (as_of, id) in (select arrayJoin(arrayZip(${times}, ${ids})))`;
  return marked(clickhouse, text, values);
}

async function marked(
  clickhouse: ClickHouse,
  text: string,
  values: ReturnType<typeof binding>['values'],
): Promise<MarkedKey[]> {
  const rows = await clickhouse.read<[time: string, id: string, marks: number]>(text, values);
  return rows.map(([time, id, marks]) => ({ asOf: `${time}+00`, id, marks: Number(marks) }));
}

const marksOf = (condition: StoreCondition, bind: Bind) =>
  partsIn(condition)
    .map(({ text, bit }) => `if(${partOf(text, bind)}, ${bit}, 0)`)
    .reduce((all, one) => `bitOr(${all}, ${one})`, 'toUInt32(0)');

/** Counts every event of a condition in buckets; undefined where it asks for what is not here. */
export async function countByCopy(
  clickhouse: ClickHouse,
  orgId: string,
  condition: StoreCondition,
  { start, size }: Buckets,
): Promise<BucketCount[] | undefined> {
  const { bind, values } = binding();
  const { sql, whole } = saidOf(condition, bind);
  if (!whole) return undefined;
  const rows = await clickhouse.read<[place: number, kind: BucketCount['kind'], n: number]>(
    `select toInt64(floor((toUnixTimestamp64Milli(as_of) - ${bind(start, 'Int64')}) / ${bind(size, 'Int64')})) as place, kind, count()
     from ${table} final where org_id = ${bind(orgId, 'UUID')} and ${sql} group by place, kind`,
    values,
  );
  return rows.map(([place, kind, n]) => ({ place: Number(place), kind, n: Number(n) }));
}
