import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '#config.ts';

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const loopbackAddress = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/i;
const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Whether a `Host` header names this installation: the host of `PUBLIC_URL`, one of `ALLOWED_HOSTS`, or this machine. A page of another site
 * whose name was rebound to our address (DNS rebinding) sends the name of that site.
 */
export function isKnownHost(
  { PUBLIC_URL, ALLOWED_HOSTS }: Pick<Config, 'PUBLIC_URL' | 'ALLOWED_HOSTS'>,
  host: string | undefined,
): boolean {
  if (host === undefined) return false;
  return (
    host.toLowerCase() === new URL(PUBLIC_URL).host || loopback.test(host) || ALLOWED_HOSTS.includes(host.toLowerCase())
  );
}

/** Whether a program on this machine asks, and not a proxy for somebody else. */
export const isFromThisMachine = (address: string | undefined, headers: IncomingHttpHeaders): boolean =>
  loopbackAddress.test(address ?? '') && !forwardingHeaders.some((name) => headers[name] !== undefined);
