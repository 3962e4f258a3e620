import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import type { Config } from '#config.ts';

type Proxies = Config['TRUST_PROXY'];

/** `TRUST_PROXY` as Fastify takes it: a number is a count of proxies, a list names their networks. */
export const trustOf = (proxies: Proxies) =>
  typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies;

/** The address of the client of a request that Fastify does not handle, as Fastify determines it. */
export function createClientAddress(proxies: Proxies): (request: IncomingMessage) => string {
  const trust = trustOf(proxies);
  const isTrusted = typeof trust === 'function' ? trust : trust ? proxyAddress.compile(trust) : () => false;
  return (request) => proxyAddress(request, isTrusted);
}
