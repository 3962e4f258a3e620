import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, FormData, fetch, type RequestInit, type Response } from 'undici';
import { Invalid, UpstreamFailed } from './errors.ts';

export interface Outbound {
  /**
   * Throws `Invalid(field)` for an address that `fetch` would not call; calls nothing. Answers the network address it leads to, for a
   * program that must go to no other.
   */
  check: (field: string, url: string) => Promise<string>;
  /**
   * Fetches a URL that a person gave: https only, resolved once, private and reserved addresses refused, the
   * connection pinned to the address that was checked, no redirects, 10 s and at most 1 MB unless `limits` say more.
   * Throws `Invalid(field)` for an address that may not be called and `UpstreamFailed` for one that does not answer.
   */
  fetch: (
    field: string,
    url: string,
    init?: RequestInit,
    limits?: Limits,
  ) => Promise<{ status: number; headers: Headers; body: string; bytes: Buffer }>;
}

export interface Limits {
  /** Milliseconds until the whole answer must be here. */
  timeout?: number;
  /** Bytes of the body. */
  size?: number;
  /** A longer body is cut off there rather than refused. */
  cut?: boolean;
}

/** An empty form for files and fields: Node's own is of another make, and would be sent as the name of its class. */
export const newForm = (): FormData => new FormData();

/** `Retry-After` in seconds, 0 where none is said; as a date it is not heard. */
export function waitOf(headers: Pick<Headers, 'get'>): number {
  const said = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(said) ? Number(said) : 0;
}

type Headers = Response['headers'];
type Resolve = (host: string) => Promise<Address>;

const defaults = { timeout: 10_000, size: 1024 * 1024, cut: false };

/**
 * `allow`: what of the operator's own network may be called, by http too: hosts, CIDR blocks, and origins such as
 * `http://localhost:3001` where no other port of a host is meant.
 */
export function createOutbound(allow: readonly string[] = [], resolve: Resolve = lookup): Outbound {
  const checked = (field: string, url: string) => checkAddress(field, url, allow, resolve);
  const agents = createAgents();
  return {
    async check(field, url) {
      return (await checked(field, url)).address.address;
    },
    async fetch(field, url, init = {}, limits = {}) {
      const { target, address } = await checked(field, url);
      return call(agents.of(address), target, init, { ...defaults, ...limits });
    },
  };
}

async function checkAddress(field: string, url: string, allow: readonly string[], resolve: Resolve) {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (!target) throw Invalid(field, 'must be a URL');
  if (!/^https?:$/.test(target.protocol)) throw Invalid(field, 'must start with https://');
  const host = target.hostname.replace(/^\[|\]$/g, '');
  const trusted = allow.includes(host) || allow.includes(target.origin);
  if (target.username || target.password) throw Invalid(field, 'must not carry a user name or password');
  const address = await resolveOnce(field, host, resolve);
  const allowed = trusted || isAllowed(address.address, allow);
  if (target.protocol === 'http:' && !allowed) throw Invalid(field, 'must start with https://');
  if (!allowed && !isPublic(address.address)) throw Invalid(field, 'points to a private or reserved address');
  if (!allowed && target.port !== '' && Number(target.port) < 1024)
    throw Invalid(field, 'names a port that is not for https');
  return { target, address };
}

// All that is handed out to the public; what lies outside may still reach an IPv4 address, as ::127.0.0.1 does.
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is an ordinary public one, in whichever form it is written. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(publicIpv6));
}

function isAllowed(address: string, allow: readonly string[]): boolean {
  const parsed = ipaddr.process(address);
  return allow.some((entry) => {
    if (!ipaddr.isValidCIDR(entry)) return false;
    const [network, bits] = ipaddr.parseCIDR(entry);
    return parsed.kind() === network.kind() && parsed.match(network, bits);
  });
}

async function resolveOnce(field: string, host: string, resolve: Resolve): ReturnType<Resolve> {
  if (isIP(host)) return { address: host, family: isIP(host) };
  try {
    return await resolve(host);
  } catch {
    throw Invalid(field, 'names a host that does not exist');
  }
}

interface Address {
  address: string;
  family: number;
}

// So many addresses keep their connections, for so many milliseconds after a call: shorter than most servers do.
const mostAgents = 200;
const keptOpenFor = 4_000;

/**
 * Connections stay open from one call to the next, for the address they were made to: a name is looked up and checked for every
 * call, and one that leads elsewhere by then goes there by a connection of its own.
 */
function createAgents() {
  const agents = new Map<string, Agent>();
  return {
    of(pinned: Address): Agent {
      const known = agents.get(pinned.address);
      // Last used, last to go.
      agents.delete(pinned.address);
      const agent = known ?? agentTo(pinned);
      agents.set(pinned.address, agent);
      const [oldest] = agents.keys();
      if (agents.size > mostAgents && oldest !== undefined) {
        // What is under way there is waited for.
        void agents.get(oldest)?.close();
        agents.delete(oldest);
      }
      return agent;
    },
  };
}

const agentTo = (pinned: Address) =>
  new Agent({
    keepAliveTimeout: keptOpenFor,
    keepAliveMaxTimeout: keptOpenFor,
    connect: {
      timeout: defaults.timeout,
      lookup: (_host, options, done) =>
        options.all
          ? done(null, [pinned])
          : (done as unknown as (e: null, a: string, f: number) => void)(null, pinned.address, pinned.family),
    },
  });

async function call(agent: Agent, url: URL, init: RequestInit, { timeout, size, cut }: Required<Limits>) {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      dispatcher: agent,
    });
    const bytes = await readCapped(response, size, cut);
    return { status: response.status, headers: response.headers, body: bytes.toString('utf8'), bytes };
  } catch (error) {
    throw UpstreamFailed(`${url.host} did not answer as expected.`, error instanceof Error ? error.message : undefined);
  }
}

async function readCapped(response: Response, most: number, cut: boolean): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    chunks.push(chunk);
    if (size <= most) continue;
    if (cut) break;
    throw new Error(`The answer is larger than ${Math.round(most / 1024 / 1024)} MB`);
  }
  return Buffer.concat(chunks).subarray(0, most);
}
