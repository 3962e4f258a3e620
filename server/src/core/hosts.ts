import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '#config.ts';

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const loopbackAddress = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/i;
const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Whether a `Host` header names this installation. */
export type IsOwnHost = (host: string | undefined) => boolean;

/**
 * Accepts the host of `PUBLIC_URL`, those of `ALLOWED_HOSTS`, and names of this machine. This prevents DNS rebinding: a
 * page whose name was rebound to our address sends the host name of its own site.
 */
export function createHostCheck({
  PUBLIC_URL,
  ALLOWED_HOSTS,
}: Pick<Config, 'PUBLIC_URL' | 'ALLOWED_HOSTS'>): IsOwnHost {
  const names = new Set([new URL(PUBLIC_URL).host, ...ALLOWED_HOSTS.map((host) => host.toLowerCase())]);
  return (host) => host !== undefined && (names.has(host.toLowerCase()) || loopback.test(host));
}

/** Whether a request comes directly from a program on this machine and not through a proxy. */
export const isFromThisMachine = (address: string | undefined, headers: IncomingHttpHeaders): boolean =>
  loopbackAddress.test(address ?? '') && !forwardingHeaders.some((name) => headers[name] !== undefined);
