import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { measureStatements, type StartStatement } from './measured-pool.ts';
import type { DB } from './tables.ts';

export type Tables = DB;

/**
 * A transaction of an organization (or of an account). Rows of others are invisible in it. `db` builds queries; `query`
 * runs a named statement for frequent requests; `afterCommit` runs a task once the transaction is durable.
 */
export interface Tx {
  db: Kysely<Tables>;
  query: <Row extends pg.QueryResultRow>(statement: Statement) => Promise<Row[]>;
  afterCommit: (task: () => void) => void;
}

/** With `name` the server reuses the plan. `types` may leave columns as text if parsing them would cost more. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
  types?: pg.CustomTypesConfig;
}

export interface Database {
  /** Runs `work` in a transaction that sees and writes the rows of one organization only. */
  withOrg: <Result>(orgId: string, work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /**
   * Runs one statement as its own transaction, in one round trip, for calls hundreds of times a second. Its text is
   * appended to `with tenant as (…)`, where `tenant.org` and `$1` are the organization. It must read `from tenant`, and
   * rows of the organization in a lateral subquery of it, because they are visible only after the organization is set.
   */
  onceWithOrg: <Row extends pg.QueryResultRow>(orgId: string, statement: Statement) => Promise<Row[]>;
  /**
   * The same for queries that may read many rows to find few: PostgreSQL cancels them after `BOUNDED_STATEMENT_SECONDS` (error
   * 57014), and they use their own small pool, so that they cannot occupy all connections. `onEnd` receives the milliseconds from
   * sending the statement to its result or failure, without the wait for a connection.
   */
  boundedWithOrg: <Row extends pg.QueryResultRow>(
    orgId: string,
    statement: Statement,
    onEnd?: (milliseconds: number) => void,
  ) => Promise<Row[]>;
  /** Runs `work` for a signed-in account without a selected organization: it sees the memberships and invitations. */
  withAccount: <Result>(account: { id: string; email: string }, work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** Runs `work` on the tables that belong to no organization. */
  global: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  pool: pg.Pool;
  /** The pool of bounded statements. */
  boundedPool: pg.Pool;
  close: () => Promise<void>;
}

/** The connections of a pool. */
export type PoolCounts = Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;

/** The address of the installation that an organization moved to, if an error of PostgreSQL says that it moved. */
export function movedToOf(error: unknown): string | undefined {
  const { code, detail } = error as { code?: string; detail?: string };
  return code === 'SM301' ? detail : undefined;
}

const isTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout';

/** The time limit of a bounded statement, in seconds. */
export const BOUNDED_STATEMENT_SECONDS = 5;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const asText = (value: string) => value;
const { builtins } = pg.types;

// `json` columns are sent to the client unchanged: parsing them costs more than the query (docs/decisions/0003).
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === builtins.JSON ? asText : oid === builtins.INT8 ? Number : pg.types.getTypeParser(oid, format ?? 'text'),
} as pg.CustomTypesConfig;

/** Returns every column in the text format of PostgreSQL, for frequent requests. */
export const textTypes = { getTypeParser: () => asText } as unknown as pg.CustomTypesConfig;

export interface DatabaseOptions {
  url: string;
  /** The maximum number of connections. A quarter as many more are used for bounded statements. */
  max: number;
  /** The seconds after which the connection of a statement counts as dead; the default is 300. */
  querySeconds?: number;
  /** Every connection switches to this role; not needed if it is the role of the login. */
  role?: string | undefined;
  onError: (error: Error) => void;
  /** Called when a task after a commit throws: the transaction stays committed, and the following tasks run. */
  onTaskError?: (error: unknown) => void;
  onStatement?: StartStatement | undefined;
}

/**
 * Limits that detect unresponsive peers: keepalive packets detect a lost machine, a timeout detects a blocked process.
 */
export const connectionLimits = (querySeconds: number) => ({
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: Math.min(10, querySeconds) * 1000,
  query_timeout: querySeconds * 1000,
});

/** Opens the pool. Every client has an error listener, because a lost connection would otherwise end the process. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, max, querySeconds = 300, role, onError, onTaskError, onStatement } = options;
  function poolOf(config: pg.PoolConfig): pg.Pool {
    const pool = new pg.Pool({
      connectionString: url,
      types: columnTypes,
      idleTimeoutMillis: 30_000,
      ...connectionLimits(querySeconds),
      ...(role !== undefined && { options: `-c role=${role} -c jit=off -c timezone=UTC` }),
      ...config,
    });
    pool.on('error', onError);
    if (onStatement) measureStatements(pool, onStatement);
    return pool.on('connect', (client) => client.on('error', onError));
  }
  const pool = poolOf({ max });
  const boundedPool = poolOf({ max: Math.ceil(max / 4), statement_timeout: BOUNDED_STATEMENT_SECONDS * 1000 });

  async function run<Result>(begin: string, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const tasks: (() => void)[] = [];
    const result = await commit(begin, (client) => work(transactionOn(client, tasks)));
    for (const task of tasks) {
      try {
        task();
      } catch (error) {
        onTaskError?.(error);
      }
    }
    return result;
  }

  async function commit<Result>(begin: string, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query(begin);
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      // A connection that did not respond is not used again.
      if (isTimeout(error)) broken = error as Error;
      else
        await client.query('rollback').catch((failure: Error) => {
          broken = failure;
        });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async function bounded<Row extends pg.QueryResultRow>(
    statement: Statement,
    onEnd?: (milliseconds: number) => void,
  ): Promise<Row[]> {
    const client = await boundedPool.connect();
    const started = performance.now();
    let failure: Error | undefined;
    try {
      return (await client.query<Row>(statement)).rows;
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      onEnd?.(performance.now() - started);
      client.release(failure);
    }
  }

  return {
    pool,
    boundedPool,
    withOrg: (orgId, work) => run(`begin; select enter_organization('${checked(orgId)}')`, work),
    onceWithOrg: async <Row extends pg.QueryResultRow>(orgId: string, statement: Statement) =>
      (await pool.query<Row>(ofTenant(orgId, statement))).rows,
    boundedWithOrg: (orgId, statement, onEnd) => bounded(ofTenant(orgId, statement), onEnd),
    withAccount: ({ id, email }, work) =>
      run(
        `begin; select set_config('app.account', '${checked(id)}', true), set_config('app.email', ${pg.escapeLiteral(email)}, true)`,
        work,
      ),
    global: (work) => run('begin', work),
    close: async () => {
      await Promise.all([pool.end(), boundedPool.end()]);
    },
  };
}

const tenantCte = 'with tenant as materialized (select enter_organization($1::uuid) as org)';

const ofTenant = (orgId: string, { text, values, ...how }: Statement): Statement => ({
  ...how,
  text: `${tenantCte}${text}`,
  values: [checked(orgId), ...values],
});

const checked = (id: string): string => {
  if (!uuid.test(id)) throw new Error('An organization or account ID must be a UUID');
  return id;
};

/** The transaction of a client, which needs `columnTypes`. `tasks` receives what it runs after its commit. */
export function transactionOn(client: pg.ClientBase, tasks: (() => void)[]): Tx {
  let db: Kysely<Tables> | undefined;
  return {
    // Created on first use: frequent requests use named statements and never need it.
    get db() {
      db ??= new Kysely<Tables>({ dialect: new PostgresDialect({ pool: singleClientPool(client) }) });
      return db;
    },
    query: async <Row extends pg.QueryResultRow>(statement: Statement) => (await client.query<Row>(statement)).rows,
    afterCommit: (task) => tasks.push(task),
  };
}

/** Returns a pool of one connection that Kysely may use but never close. */
const singleClientPool = (client: pg.ClientBase) => {
  const borrowed = { query: client.query.bind(client), release: () => undefined } as unknown as pg.PoolClient;
  return { connect: async () => borrowed, end: async () => undefined } as unknown as pg.Pool;
};
