import { Refusal } from '#core/errors.ts';
import { boundSeconds, type Database } from '#database/database.ts';
import { type ClickHouse, ClickHouseProblem, isTimeLimitExceeded } from '#providers/clickhouse.ts';
import { all, normal, type StoreCondition } from '../store/condition.ts';
import { keysOf as keysInStore, type Walk } from '../store/keys.ts';
import { type Plan, planOf, read, type TextRow, tooMuch } from '../store/pages.ts';
import { pendingIn, termsIn, testOf } from '../store/tests.ts';
import { keysOf, type MarkedKey, marksAt } from './keys.ts';

interface Stores {
  database: Database;
  clickhouse: ClickHouse;
}

// Where everything else of a question leaves so few, they are looked up here one by one.
const few = 1000;
const firstKeys = 1000;
const mostKeys = 20_000;

/**
 * The next rows of a question that asks for parts of words. ClickHouse names the keys, and which parts each shows; the rows, and
 * whatever else is asked of them, are PostgreSQL's.
 */
export async function rowsByParts(
  stores: Stores,
  plan: Plan,
  walk: Walk,
  columns: readonly string[],
): Promise<TextRow[]> {
  if (plan.branches.length === 0) return [];
  const until = performance.now() + boundSeconds * 1000;
  const others = await fewByOthers(stores.database, plan, walk);
  if (others) {
    const keys = others.length === 0 ? [] : await told(marksAt(stores.clickhouse, plan.orgId, plan.condition, others));
    return rowsAt(stores.database, { plan, walk, keys, columns });
  }
  const rows: TextRow[] = [];
  let { from } = walk;
  for (let limit = firstKeys; ; limit = Math.min(limit * 4, mostKeys)) {
    const keys = await told(keysOf(stores.clickhouse, plan.orgId, plan.condition, { ...walk, from, limit }));
    const left = { ...walk, limit: walk.limit - rows.length };
    rows.push(...(await rowsAt(stores.database, { plan, walk: left, keys: once(keys), columns })));
    const last = keys.at(-1);
    if (rows.length >= walk.limit || keys.length < limit || !last) return rows;
    if (performance.now() > until) throw tooMuch();
    from = { asOf: `${last.asOf.slice(0, 10)}T${last.asOf.slice(11, -3)}Z`, id: last.id };
  }
}

/** The keys of all that is not a part of a word, where they are few. */
async function fewByOthers(
  database: Database,
  { orgId, condition }: Plan,
  walk: Walk,
): Promise<{ asOf: string; id: string }[] | undefined> {
  const rest = normal(withoutParts(condition));
  if (rest.is === 'all' || rest.is === 'time') return undefined;
  try {
    const plan = await planOf(database, orgId, rest);
    const rows = await read<{ as_of: string; id: string }>(
      database,
      plan,
      (bind) => `select k.as_of, k.id from (${keysInStore(plan.branches, { ...walk, limit: few }, bind)}) k`,
    );
    return rows.length < few ? rows.map(({ as_of, id }) => ({ asOf: as_of.slice(0, -3), id })) : undefined;
  } catch (error) {
    // The other way may be the shorter one.
    if (error instanceof Refusal && error.code === 'unavailable') return undefined;
    throw error;
  }
}

/** What remains to be asked where a part may be shown or not. */
function withoutParts(condition: StoreCondition): StoreCondition {
  if (condition.is === 'and' || condition.is === 'or') return { ...condition, of: condition.of.map(withoutParts) };
  if (condition.is === 'not') return condition.of.is === 'part' ? all : condition;
  return condition.is === 'part' ? all : condition;
}

/** One that was copied twice comes twice in a row until the next merge. */
const once = (keys: readonly MarkedKey[]) =>
  keys.filter(({ id, asOf }, place) => keys[place - 1]?.id !== id || keys[place - 1]?.asOf !== asOf);

function rowsAt(
  database: Database,
  {
    plan,
    walk: { direction, limit },
    keys,
    columns,
  }: { plan: Plan; walk: Walk; keys: readonly MarkedKey[]; columns: readonly string[] },
): Promise<TextRow[]> {
  if (keys.length === 0) return Promise.resolve([]);
  const way = direction === 'older' ? 'desc' : 'asc';
  return read<TextRow>(database, plan, (bind) => {
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
    return `${pendingIn(termsIn(plan.condition), bind)}
      select ${columns.map((column) => `e.${column}`).join(', ')}
      from unnest(${times}, ${ids}, ${marks}) as m(as_of, id, marks)
      join event e on e.org_id = tenant.org and e.as_of = m.as_of and e.id = m.id
      where ${testOf(plan.condition, 'e', bind)} order by e.as_of ${way}, e.id ${way} limit ${bind(limit, 'int')} offset 0`;
  });
}

/** In words for whoever asked. */
export async function told<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (problem) {
    if (!(problem instanceof ClickHouseProblem)) throw problem;
    if (isTimeLimitExceeded(problem)) throw tooMuch();
    throw new Refusal('unavailable', 'Partial words are not searchable at the moment.', {
      cause: 'ClickHouse does not respond. Complete words and prefixes work without it.',
    });
  }
}
