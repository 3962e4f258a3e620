import { Refusal } from '#core/errors.ts';
import { BOUNDED_STATEMENT_SECONDS, type Database } from '#database/database.ts';
import { type ClickHouse, ClickHouseProblem, isTimeLimitExceeded } from '#providers/clickhouse.ts';
import { allEvents, normalizeCondition, type StoreCondition } from '../store/condition.ts';
import { type EventWalk, eventKeysSql as keysInStore } from '../store/keys.ts';
import { type EventPageRow, planQuery, type QueryPlan, queryTimeout, readByPlan } from '../store/pages.ts';
import { conditionSql, pendingTermsSql, termsInCondition } from '../store/tests.ts';
import { keysInCopy, type MarkedKey, wordPartMarksAt } from './keys.ts';

interface Stores {
  database: Database;
  clickhouse: ClickHouse;
}

// If the other conditions match fewer events, their marks are looked up one by one.
const maxOthers = 1000;
const initialKeys = 1000;
const maxKeys = 20_000;

/**
 * The next rows of a query with parts of words. ClickHouse returns the keys with the parts that each shows; PostgreSQL
 * returns the rows and tests the other conditions.
 */
export async function rowsByParts(
  stores: Stores,
  plan: QueryPlan,
  walk: EventWalk,
  columns: readonly string[],
): Promise<EventPageRow[]> {
  if (plan.branches.length === 0) return [];
  const until = performance.now() + BOUNDED_STATEMENT_SECONDS * 1000;
  const others = await fewByOthers(stores.database, plan, walk);
  if (others) {
    const keys =
      others.length === 0
        ? []
        : await withClickHouseRefusals(wordPartMarksAt(stores.clickhouse, plan.orgId, plan.condition, others));
    return rowsAt(stores.database, { plan, walk, keys, columns });
  }
  const rows: EventPageRow[] = [];
  let { from } = walk;
  for (let limit = initialKeys; ; limit = Math.min(limit * 4, maxKeys)) {
    const keys = await withClickHouseRefusals(
      keysInCopy(stores.clickhouse, plan.orgId, plan.condition, { ...walk, from, limit }),
    );
    const remainder = { ...walk, limit: walk.limit - rows.length };
    rows.push(...(await rowsAt(stores.database, { plan, walk: remainder, keys: distinctKeys(keys), columns })));
    const last = keys.at(-1);
    if (rows.length >= walk.limit || keys.length < limit || !last) return rows;
    if (performance.now() > until) throw queryTimeout();
    from = { asOf: `${last.asOf.slice(0, 10)}T${last.asOf.slice(11, -3)}Z`, id: last.id };
  }
}

/** The keys that match the conditions without parts of words; undefined if there are many. */
async function fewByOthers(
  database: Database,
  { orgId, condition }: QueryPlan,
  walk: EventWalk,
): Promise<{ asOf: string; id: string }[] | undefined> {
  const otherConditions = normalizeCondition(withoutParts(condition));
  if (otherConditions.is === 'all' || otherConditions.is === 'time') return undefined;
  try {
    const plan = await planQuery(database, orgId, otherConditions);
    const { rows } = await readByPlan<{ as_of: string; id: string }>(
      database,
      plan,
      (bind) => `select k.as_of, k.id from (${keysInStore(plan.branches, { ...walk, limit: maxOthers }, bind)}) k`,
    );
    return rows.length < maxOthers ? rows.map(({ as_of, id }) => ({ asOf: as_of.slice(0, -3), id })) : undefined;
  } catch (error) {
    // The walk in ClickHouse may be faster.
    if (error instanceof Refusal && error.code === 'unavailable') return undefined;
    throw error;
  }
}

/** The condition with parts of words replaced by true. */
function withoutParts(condition: StoreCondition): StoreCondition {
  if (condition.is === 'and' || condition.is === 'or') return { ...condition, of: condition.of.map(withoutParts) };
  if (condition.is === 'not') return condition.of.is === 'part' ? allEvents : condition;
  return condition.is === 'part' ? allEvents : condition;
}

/** Removes repeated keys: an event that was copied twice occurs twice in a row until the next merge. */
const distinctKeys = (keys: readonly MarkedKey[]) =>
  keys.filter(({ id, asOf }, place) => keys[place - 1]?.id !== id || keys[place - 1]?.asOf !== asOf);

async function rowsAt(
  database: Database,
  {
    plan,
    walk: { direction, limit },
    keys,
    columns,
  }: { plan: QueryPlan; walk: EventWalk; keys: readonly MarkedKey[]; columns: readonly string[] },
): Promise<EventPageRow[]> {
  if (keys.length === 0) return [];
  const order = direction === 'older' ? 'desc' : 'asc';
  const { rows } = await readByPlan<EventPageRow>(database, plan, (bind) => {
    const times = bind(
      keys.map(({ asOf }) => asOf),
      'timestamptz[]',
    );
    const ids = bind(
      keys.map(({ id }) => id),
      'uuid[]',
    );
    const marks = bind(
      keys.map((key) => key.marks),
      'int[]',
    );
    return `${pendingTermsSql(termsInCondition(plan.condition), bind)}
      select ${columns.map((column) => `e.${column}`).join(', ')}
      from unnest(${times}, ${ids}, ${marks}) as m(as_of, id, marks)
      join event e on e.org_id = tenant.org and e.as_of = m.as_of and e.id = m.id
      where ${conditionSql(plan.condition, 'e', bind)} order by e.as_of ${order}, e.id ${order} limit ${bind(limit, 'int')} offset 0`;
  });
  return rows;
}

/** Converts failures of ClickHouse to refusals. */
export async function withClickHouseRefusals<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (problem) {
    if (!(problem instanceof ClickHouseProblem)) throw problem;
    if (isTimeLimitExceeded(problem)) throw queryTimeout();
    throw new Refusal('unavailable', 'Partial words are not searchable at the moment.', {
      cause: 'ClickHouse does not respond. Complete words and prefixes work without it.',
    });
  }
}
