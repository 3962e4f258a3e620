import { createClient } from '@redis/client';
import { createAdapter as overPostgres } from '@socket.io/postgres-adapter';
import { createAdapter as overRedis } from '@socket.io/redis-adapter';
import pg from 'pg';
import type { Server } from 'socket.io';
import { connectionLimits, type PoolCounts } from '#database/database.ts';

/** By what nodes tell each other their news. */
export interface Nodes {
  adapter: NonNullable<Parameters<Server['adapter']>[0]>;
  /** Undefined where they meet elsewhere than in the database. */
  pool?: PoolCounts;
  /** Ends it; `leave` takes the namespaces off first. */
  close: (leave: () => Promise<void>) => Promise<void>;
}

/** Over notifications of the database, which is there anyway. */
export function createPostgresNodes(
  { databaseUrl, querySeconds, role }: { databaseUrl: string; querySeconds: number; role: string | undefined },
  onError: (error: Error) => void,
): Nodes {
  // The adapter listens only for "end": without these a lost connection ends the process.
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 3,
    ...connectionLimits(querySeconds),
    ...(role !== undefined && { options: `-c role=${role}` }),
  });
  const clients = new Set<pg.PoolClient>();
  let closing = false;
  // While closing, a connection that ends is what was asked for.
  const onLoss = (error: Error) => closing || onError(error);
  pool.on('error', onLoss);
  pool.on('connect', (client) => clients.add(client.on('error', onLoss)));
  pool.on('remove', (client) => clients.delete(client));
  // The adapter would try to reconnect for ever after the pool has ended.
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
const longestPause = 2_000;
const lastWordsWithin = 2_000;

/**
 * Over a Redis, for installations whose database has enough to do. Nothing is kept there. While it is away every node
 * tells its own sockets only; `onGap` is called when it is back, since news of others may have been missed.
 */
export function createRedisNodes(redisUrl: string, onError: (error: Error) => void, onGap: () => void): Nodes {
  let closing = false;
  const onLoss = (error: Error) => void (closing || onError(error));
  const open = () => {
    const client = createClient({
      url: redisUrl,
      socket: { reconnectStrategy: (tries) => Math.min(longestPause, 50 * 2 ** tries * (0.5 + Math.random())) },
      // What could not be told for so long is told to nobody any more.
      commandsQueueMaxLength: 10_000,
    });
    client.on('error', onLoss);
    client.connect().catch(onLoss);
    return client;
  };
  const [told, heard] = [open(), open()];
  let wasReady = false;
  heard.on('ready', () => {
    if (wasReady) onGap();
    wasReady = true;
  });
  return {
    adapter: overRedis(caught(told, onLoss), caught(heard, onLoss)),
    async close(leave) {
      closing = true;
      await leave();
      // What was told last is still on its way; a Redis that does not answer is not waited for.
      const late = AbortSignal.timeout(lastWordsWithin);
      const given = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve()));
      if (told.isReady) await Promise.race([told.close().catch(onLoss), given]);
      for (const client of [told, heard]) if (client.isOpen) client.destroy();
    },
  };
}

/** The adapter drops the promises it is given: one that fails would end the process. */
function caught<Client extends object>(client: Client, onLoss: (error: Error) => void): Client {
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
