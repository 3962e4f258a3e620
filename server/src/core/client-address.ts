import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import type { Config } from '#config.ts';

type Proxies = Config['TRUST_PROXY'];

/**
 * Converts `TRUST_PROXY` to the `trustProxy` option of Fastify: a number counts proxies, a list contains their
 * networks.
 */
export const trustProxyOption = (proxies: Proxies) =>
  typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies;

/** Determines the client address of a request that Fastify does not handle, by the same rules as Fastify. */
export function createClientAddress(proxies: Proxies): (request: IncomingMessage) => string {
  const trust = trustProxyOption(proxies);
  const isTrusted = typeof trust === 'function' ? trust : trust ? proxyAddress.compile(trust) : () => false;
  return (request) => proxyAddress(request, isTrusted);
}
