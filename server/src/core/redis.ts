import type { createClient } from '@redis/client';

type Options = Omit<NonNullable<Parameters<typeof createClient>[0]>, 'url'>;

/** Creates a client, which the caller connects. */
export type RedisClients = (options: Options) => ReturnType<typeof createClient>;

/** Loads the package of Redis: 480 modules, which only an installation with Redis needs. */
export async function loadRedis(url: string): Promise<RedisClients> {
  const { createClient: create } = await import('@redis/client');
  return (options) => create({ ...options, url });
}
