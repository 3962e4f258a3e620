import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { measureStatements, type StartStatement } from './measured-pool.ts';
import type { DB } from './tables.ts';

export type Tables = DB;

/**
 * One transaction in the name of an organization (or of an account). Rows of anybody else are invisible in it.
 * `db` builds queries; `query` runs a named statement where a page is hot; `afterCommit` runs once it is durable.
 */
export interface Tx {
  db: Kysely<Tables>;
  query: <Row extends pg.QueryResultRow>(statement: Statement) => Promise<Row[]>;
  afterCommit: (task: () => void) => void;
}

/** `name` makes the server keep the plan; `types` may leave columns as text where parsing them would cost more. */
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
   * One statement as a transaction of its own, in one round trip, for what is called hundreds of times a second. Its text
   * goes on after `with tenant as (…)`, where `tenant.org` and `$1` are the organization. It must read `from tenant` and
   * whatever it asks of the tenant's rows in a lateral subquery of it: they are there only once the tenant is named.
   */
  onceWithOrg: <Row extends pg.QueryResultRow>(orgId: string, statement: Statement) => Promise<Row[]>;
  /**
   * The same for what may find next to nothing in very much: PostgreSQL gives it up after `boundSeconds` (error 57014), and a few
   * connections of its own keep it from taking all of them.
   */
  boundedWithOrg: <Row extends pg.QueryResultRow>(orgId: string, statement: Statement) => Promise<Row[]>;
  /** Runs `work` for a signed-in person before an organization is chosen: their memberships and invitations. */
  withAccount: <Result>(account: { id: string; email: string }, work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** Runs `work` on the tables that belong to no organization. */
  global: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  pool: pg.Pool;
  /** What is bounded goes through this one. */
  boundedPool: pg.Pool;
  close: () => Promise<void>;
}

/** How many connections a pool has. */
export type PoolCounts = Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;

const isNoAnswer = (error: unknown) => error instanceof Error && error.message === 'Query read timeout';

/** How long a bounded statement may take. */
export const boundSeconds = 5;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const asText = (value: string) => value;
const { builtins } = pg.types;

// `json` columns travel to the client as they are: parsing them costs more than the query (docs/decisions/0003).
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === builtins.JSON ? asText : oid === builtins.INT8 ? Number : pg.types.getTypeParser(oid, format ?? 'text'),
} as pg.CustomTypesConfig;

/** For hot pages: every column as PostgreSQL writes it. */
export const textTypes = { getTypeParser: () => asText } as unknown as pg.CustomTypesConfig;

export interface DatabaseOptions {
  url: string;
  /** Connections kept at most; a quarter as many are kept beside them for what is bounded. */
  max: number;
  /** How long a statement may take before its connection counts as dead; 300 unless given. */
  querySeconds?: number;
  /** Drop to the application role on every connection; not needed where the login is that role already. */
  role?: string | undefined;
  onError: (error: Error) => void;
  /** Hears of a task after a commit that threw: the transaction stays committed, and the tasks after it run. */
  onTaskError?: (error: unknown) => void;
  onStatement?: StartStatement | undefined;
}

/** Connections whose other end no longer answers are given up: packets find out about a machine that is gone, a timer about a process. */
export const connectionLimits = (querySeconds: number) => ({
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: Math.min(10, querySeconds) * 1000,
  query_timeout: querySeconds * 1000,
});

/** Opens the pool. Every client has an error listener, since a lost connection would otherwise end the process. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, max, querySeconds = 300, role, onError, onTaskError, onStatement } = options;
  function poolOf(config: pg.PoolConfig): pg.Pool {
    const pool = new pg.Pool({
      connectionString: url,
      types,
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
  const boundedPool = poolOf({ max: Math.ceil(max / 4), statement_timeout: boundSeconds * 1000 });

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
      // A connection that did not answer is not asked again.
      if (isNoAnswer(error)) broken = error as Error;
      else
        await client.query('rollback').catch((failure: Error) => {
          broken = failure;
        });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  const once =
    (through: pg.Pool) =>
    async <Row extends pg.QueryResultRow>(orgId: string, { text, values, ...how }: Statement) => {
      const named = { ...how, text: `${tenantCte}${text}`, values: [checked(orgId), ...values] };
      return (await through.query<Row>(named)).rows;
    };

  return {
    pool,
    boundedPool,
    withOrg: (orgId, work) => run(`begin; select set_config('app.org', '${checked(orgId)}', true)`, work),
    onceWithOrg: once(pool),
    boundedWithOrg: once(boundedPool),
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

const tenantCte = "with tenant as materialized (select set_config('app.org', $1::uuid::text, true)::uuid as org)";

const checked = (id: string): string => {
  if (!uuid.test(id)) throw new Error('An organization or account ID must be a UUID');
  return id;
};

function transactionOn(client: pg.PoolClient, tasks: (() => void)[]): Tx {
  let db: Kysely<Tables> | undefined;
  return {
    // Built on first use: the hot paths run named statements and never need it.
    get db() {
      db ??= new Kysely<Tables>({ dialect: new PostgresDialect({ pool: onlyThis(client) }) });
      return db;
    },
    query: async <Row extends pg.QueryResultRow>(statement: Statement) => (await client.query<Row>(statement)).rows,
    afterCommit: (task) => tasks.push(task),
  };
}

/** A pool of one connection that Kysely may take but never close. */
const onlyThis = (client: pg.PoolClient) => {
  const borrowed = { query: client.query.bind(client), release: () => undefined } as unknown as pg.PoolClient;
  return { connect: async () => borrowed, end: async () => undefined } as unknown as pg.Pool;
};
