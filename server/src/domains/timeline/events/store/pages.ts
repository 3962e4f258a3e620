import { Refusal } from '#core/errors.ts';
import { type Database, textTypes } from '#database/database.ts';
import type { StoreCondition } from './condition.ts';
import { countPossibleLeads } from './counts.ts';
import { denseHoursOf } from './dense-hours.ts';
import { type EventWalk, eventKeysSql } from './keys.ts';
import { isIndexed, type PlanBranch, planBranches } from './plan.ts';
import { type BindPostgres, termsInCondition } from './tests.ts';

/** A condition of one organization with its plan, shared by several reads. */
export interface QueryPlan {
  orgId: string;
  condition: StoreCondition;
  branches: readonly PlanBranch[];
}

/** A row in the text format of PostgreSQL. */
export interface EventPageRow extends Record<string, string> {
  id: string;
  kind: string;
  as_of: string;
  received_at: string;
  source: string;
  /** In its stored form. */
  summary: string;
}
export const listedColumns = ['id', 'kind', 'as_of', 'received_at', 'source', 'summary'];

/** Chooses the plan of a condition, which is the same for all its pages. */
export async function planQuery(database: Database, orgId: string, condition: StoreCondition): Promise<QueryPlan> {
  const counts = await countPossibleLeads(database, orgId, condition);
  const branches = condition.is === 'none' ? [] : planBranches(condition, counts);
  if (!branches.some(readsLists)) return { orgId, condition, branches };
  const dense = await denseHoursOf(database, orgId);
  if (dense.length === 0) return { orgId, condition, branches };
  return { orgId, condition, branches: branches.map((branch) => ({ ...branch, dense })) };
}

/** Rows of events with the version of the archive at the same moment, whose segments have the other events. */
export interface RowsAtVersion<Row> {
  rows: Row[];
  /** 0 without an archive. */
  archive: number;
}

/** The next rows in the direction of the walk; `more` adds columns to those of a list. */
export function readEventRows(
  database: Database,
  plan: QueryPlan,
  walk: EventWalk,
  more: readonly string[] = [],
): Promise<RowsAtVersion<EventPageRow>> {
  return readByPlan<EventPageRow>(database, plan, (bind) => {
    const columns = (row: string) => [...listedColumns, ...more].map((column) => `${row}.${column}`).join(', ');
    const [only] = plan.branches;
    // A single test has its own index, whose next rows are the page. Several tests find the keys first, to fetch no
    // unnecessary rows.
    if (only && plan.branches.length === 1 && only.lead.by === 'walk' && only.tests.length <= 1) {
      return eventKeysSql(plan.branches, walk, bind, columns('k'));
    }
    const keys = eventKeysSql(plan.branches, walk, bind);
    const sortOrder = walk.direction === 'older' ? 'desc' : 'asc';
    // `offset 0` prevents the planner from flattening the join.
    return `select ${columns('e')} from (${keys}) k
      join event e on e.org_id = tenant.org and e.as_of = k.as_of and e.id = k.id
      order by e.as_of ${sortOrder}, e.id ${sortOrder} offset 0`;
  });
}

/** The number of events from the cursor of the walk, up to its limit. */
export async function countEventsFrom(
  database: Database,
  plan: QueryPlan,
  walk: EventWalk,
): Promise<{ count: number; archive: number }> {
  const { rows, archive } = await readByPlan<{ count: string }>(
    database,
    plan,
    (bind) => `select count(*) as count from (${eventKeysSql(plan.branches, walk, bind)}) k`,
  );
  return { count: Number(rows[0]?.count ?? 0), archive };
}

/** The keys of the next events in the order of the walk. */
export const readEventKeys = (
  database: Database,
  plan: QueryPlan,
  walk: EventWalk,
): Promise<RowsAtVersion<Pick<EventPageRow, 'as_of' | 'id'>>> =>
  readByPlan(database, plan, (bind) => `select k.as_of, k.id from (${eventKeysSql(plan.branches, walk, bind)}) k`);

const canceled = '57014';
// pg-pool provides no error code.
const poolTimeoutMessage = 'timeout exceeded when trying to connect';

/** Runs the SQL from `make` in a lateral subquery, so that PostgreSQL sets the tenant before the first row. */
export async function readByPlan<Row extends Record<string, string>>(
  database: Database,
  { orgId, branches }: QueryPlan,
  make: (bind: BindPostgres) => string,
): Promise<RowsAtVersion<Row>> {
  if (branches.length === 0) return noRows;
  const statement = tenantStatement(make);
  if (!branches.every(isQuick))
    return readBounded(database, orgId, { ...statement, name: nameOf('bounded', statement.text) });
  const named = { ...statement, name: nameOf('page', statement.text) };
  return atVersion(await database.onceWithOrg<VersionedRow<Row>>(orgId, named));
}

/**
 * The same for SQL that always reads many rows: with the time limit, and planned for its values each time, since the cost
 * of a plan depends on them more than planning costs.
 */
export async function aggregateByPlan<Row extends Record<string, string>>(
  database: Database,
  { orgId, branches }: QueryPlan,
  make: (bind: BindPostgres) => string,
): Promise<RowsAtVersion<Row>> {
  return branches.length === 0 ? noRows : readBounded(database, orgId, { ...tenantStatement(make), name: '' });
}

const noRows = { rows: [], archive: 0 };

function tenantStatement(make: (bind: BindPostgres) => string) {
  const values: unknown[] = [];
  // $1 is the organization
  const bind: BindPostgres = (value, type) => `$${values.push(value) + 1}::${type}`;
  return { text: versionedSql(make(bind)), values, types: textTypes };
}

/** SQL that adds the version of the archive to each row of a lateral subquery of `tenant`, or to a single row of nulls. */
export const versionedSql = (lateral: string) => ` select page.*, version.archive from tenant cross join lateral (
      select coalesce((select a.version from event_archive a where a.org_id = tenant.org), 0) as archive offset 0) version
    left join lateral (${lateral}) page on true`;

type VersionedRow<Row> = Row & { archive: string };

/** The rows of a statement of `versionedSql` in text format. */
export function atVersion<Row extends Record<string, string>>(found: VersionedRow<Row>[]): RowsAtVersion<Row> {
  const [first] = found;
  const archive = Number(first?.archive ?? 0);
  const isEmpty =
    found.length === 1 &&
    Object.entries(first ?? {}).every(([column, value]) => column === 'archive' || (value as unknown) === null);
  return { rows: isEmpty ? [] : found, archive };
}

async function readBounded<Row extends Record<string, string>>(
  database: Database,
  orgId: string,
  statement: Parameters<Database['boundedWithOrg']>[1],
): Promise<RowsAtVersion<Row>> {
  try {
    return atVersion(await database.boundedWithOrg<VersionedRow<Row>>(orgId, statement));
  } catch (error) {
    throw refusalOf(error as Error);
  }
}

const readsLists = ({ lead, tests }: PlanBranch) =>
  lead.by === 'terms' || tests.some((test) => termsInCondition(test).length > 0);

/** Whether a branch walks one index without tests that may reject many events. */
const isQuick = ({ lead, tests }: PlanBranch) =>
  (lead.by !== 'terms' || lead.along.length === 1) &&
  (tests.length === 0 ||
    (lead.by === 'walk' && tests.length === 1 && tests.every((test) => test.is === 'column' && isIndexed(test))));

function refusalOf(error: Error & { code?: string }): Error {
  if (error.code === canceled) return queryTimeout();
  if (error.message !== poolTimeoutMessage) return error;
  return new Refusal('unavailable', 'The server runs too many expensive queries, so this one timed out.', {
    cause: 'Try again in a moment, or narrow the query.',
  });
}

export const queryTimeout = () =>
  new Refusal('unavailable', 'This query exceeded the limit of five seconds.', {
    cause: 'Narrow it by time, such as after:-30d, or by kind, repository or person.',
  });

// Equal texts share one plan on the server, so the name must be short and the same for the same text.
const names = new Map<string, string>();
function nameOf(kind: string, text: string): string {
  const key = `${kind} ${text}`;
  const known = names.get(key);
  if (known !== undefined) return known;
  // Beyond this number of statements, an unnamed one is planned each time.
  if (names.size >= 300) return '';
  const name = `events.${kind}.${names.size}`;
  names.set(key, name);
  return name;
}
