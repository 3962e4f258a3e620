import { createAdapter as overPostgres } from '@socket.io/postgres-adapter';
import { createAdapter as overRedis } from '@socket.io/redis-adapter';
import pg from 'pg';
import type { Server } from 'socket.io';
import { connectionLimits, type PoolCounts } from '#database/database.ts';
import type { RedisClients } from './redis.ts';

/** The transport of change notices between nodes. */
export interface NodeTransport {
  adapter: NonNullable<Parameters<Server['adapter']>[0]>;
  /** Undefined unless the transport is the database. */
  pool?: PoolCounts;
  /** Closes the connections. `leave` closes the namespaces first. */
  close: (leave: () => Promise<void>) => Promise<void>;
}

/** Connects nodes by PostgreSQL notifications, which need no additional service. */
export function createPostgresTransport(
  { databaseUrl, querySeconds, role }: { databaseUrl: string; querySeconds: number; role: string | undefined },
  onError: (error: Error) => void,
): NodeTransport {
  // The adapter handles only "end" events: without these handlers a lost connection ends the process.
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 3,
    ...connectionLimits(querySeconds),
    ...(role !== undefined && { options: `-c role=${role}` }),
  });
  const clients = new Set<pg.PoolClient>();
  let closing = false;
  // While closing, connections are expected to end.
  const onLoss = (error: Error) => closing || onError(error);
  pool.on('error', onLoss);
  pool.on('connect', (client) => clients.add(client.on('error', onLoss)));
  pool.on('remove', (client) => clients.delete(client));
  // Otherwise the adapter would try to reconnect forever after the pool has ended.
  const connect = () => (closing ? new Promise<never>(() => undefined) : pool.connect());
  const adapterPool = { query: pool.query.bind(pool), connect } as unknown as pg.Pool;
  return {
    pool,
    adapter: overPostgres(adapterPool, { errorHandler: onLoss }),
    async close(leave) {
      closing = true;
      await leave();
      void pool.end();
      await Promise.all([...clients].map((client) => (client as unknown as pg.Client).end()));
    },
  };
}

/** Milliseconds. */
const longestPauseMs = 2_000;
const closeTimeoutMs = 2_000;

/**
 * Connects nodes by Redis, for installations with a busy database. Redis stores nothing. While it is unavailable, each
 * node notifies only its own sockets. `onGap` is called after a reconnect, since notices of other nodes may have been
 * lost.
 */
export function createRedisTransport(
  createClient: RedisClients,
  onError: (error: Error) => void,
  onGap: () => void,
): NodeTransport {
  let closing = false;
  const onLoss = (error: Error) => void (closing || onError(error));
  const open = () => {
    const client = createClient({
      socket: { reconnectStrategy: (tries) => Math.min(longestPauseMs, 50 * 2 ** tries * (0.5 + Math.random())) },
      // Notices beyond this queue are dropped.
      commandsQueueMaxLength: 10_000,
    });
    client.on('error', onLoss);
    client.connect().catch(onLoss);
    return client;
  };
  const [publisher, subscriber] = [open(), open()];
  let wasReady = false;
  subscriber.on('ready', () => {
    if (wasReady) onGap();
    wasReady = true;
  });
  return {
    adapter: overRedis(withErrorHandler(publisher, onLoss), withErrorHandler(subscriber, onLoss)),
    async close(leave) {
      closing = true;
      await leave();
      // The last notices may still be in transit; a Redis that does not respond is abandoned.
      const timeout = AbortSignal.timeout(closeTimeoutMs);
      const timedOut = new Promise<void>((resolve) => timeout.addEventListener('abort', () => resolve()));
      if (publisher.isReady) await Promise.race([publisher.close().catch(onLoss), timedOut]);
      for (const client of [publisher, subscriber]) if (client.isOpen) client.destroy();
    },
  };
}

/** Handles rejections of a client: the adapter ignores promises, and an unhandled rejection ends the process. */
function withErrorHandler<Client extends object>(client: Client, onLoss: (error: Error) => void): Client {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const result: unknown = value.apply(target, args);
        if (result instanceof Promise) result.catch(onLoss);
        return result;
      };
    },
  });
}
