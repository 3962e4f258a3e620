import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, fetch, type RequestInit, type Response } from 'undici';
import { Invalid, UpstreamFailed } from './errors.ts';

export interface Outbound {
  /**
   * Fetches a URL that a person gave: https only, resolved once, private and reserved addresses refused, the
   * connection pinned to the address that was checked, no redirects, 10 s, at most 1 MB.
   * Throws `Invalid(field)` for an address that may not be called and `UpstreamFailed` for one that does not answer.
   */
  fetch: (
    field: string,
    url: string,
    init?: RequestInit,
  ) => Promise<{ status: number; headers: Headers; body: string }>;
}

type Headers = Response['headers'];

const timeout = 10_000;
const sizeCap = 1024 * 1024;

/** `allow`: hosts and CIDR blocks of the operator's own network that may be called, by http too. */
export function createOutbound(allow: readonly string[] = []): Outbound {
  return {
    async fetch(field, url, init = {}) {
      const target = URL.canParse(url) ? new URL(url) : undefined;
      if (!target) throw Invalid(field, 'must be a URL');
      if (!/^https?:$/.test(target.protocol)) throw Invalid(field, 'must start with https://');
      const host = target.hostname.replace(/^\[|\]$/g, '');
      const trusted = allow.includes(host);
      if (target.username || target.password) throw Invalid(field, 'must not carry a user name or password');
      const address = await resolveOnce(field, host);
      const allowed = trusted || isAllowed(address.address, allow);
      if (target.protocol === 'http:' && !allowed) throw Invalid(field, 'must start with https://');
      if (!allowed && !isPublic(address.address)) throw Invalid(field, 'points to a private or reserved address');
      return call(target, address, init);
    },
  };
}

/** Whether an address is an ordinary public one, in whichever form it is written. */
export function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

function isAllowed(address: string, allow: readonly string[]): boolean {
  const parsed = ipaddr.process(address);
  return allow.some((entry) => {
    if (!ipaddr.isValidCIDR(entry)) return false;
    const [network, bits] = ipaddr.parseCIDR(entry);
    return parsed.kind() === network.kind() && parsed.match(network, bits);
  });
}

async function resolveOnce(field: string, host: string): Promise<{ address: string; family: number }> {
  if (isIP(host)) return { address: host, family: isIP(host) };
  try {
    return await lookup(host);
  } catch {
    throw Invalid(field, 'names a host that does not exist');
  }
}

async function call(url: URL, pinned: { address: string; family: number }, init: RequestInit) {
  const agent = new Agent({
    connect: {
      timeout,
      lookup: (_host, options, done) =>
        options.all
          ? done(null, [pinned])
          : (done as unknown as (e: null, a: string, f: number) => void)(null, pinned.address, pinned.family),
    },
  });
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      dispatcher: agent,
    });
    return { status: response.status, headers: response.headers, body: await readCapped(response) };
  } catch (error) {
    throw UpstreamFailed(`${url.host} did not answer as expected.`, error instanceof Error ? error.message : undefined);
  } finally {
    await agent.close();
  }
}

async function readCapped(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > sizeCap) throw new Error('The answer is larger than 1 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
