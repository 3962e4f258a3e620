import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Agent, Dispatcher, FormData, RequestInit, Response } from 'undici';
import { hostOfUrl, parseDestination } from './destination.ts';
import { type EgressProxies, proxyAgentOf, proxyFor } from './egress.ts';
import { Invalid, UpstreamFailed } from './errors.ts';

export interface Outbound {
  /** Throws `Invalid(field)` for a URL that `fetch` would reject. Does not connect. */
  check: (field: string, url: string) => Promise<CheckedAddress>;
  /** The same check for a program without proxy support. */
  checkDirect: (field: string, url: string) => Promise<CheckedAddress & { address: string }>;
  /** Whether the operator allowed a URL, regardless of the address it resolves to. */
  allows: (url: string) => Promise<boolean>;
  /**
   * Fetches a URL that a user entered: https only, resolved once, private and reserved addresses rejected. Pins the
   * connection to the checked address and follows no redirects. Limits: 10 s and 1 MB unless `limits` differ. An egress
   * proxy resolves the name itself; a name that resolves to a private address here is rejected nevertheless. Throws
   * `Invalid(field)` for a URL that must not be called and `UpstreamFailed` if the host does not respond.
   */
  fetch: (
    field: string,
    url: string,
    init?: RequestInit,
    limits?: ResponseLimits,
  ) => Promise<{ status: number; headers: Headers; body: string; bytes: Buffer }>;
}

/** The checked parts of a URL, the only ones that may be passed to another program. */
export interface CheckedAddress {
  href: string;
  /** The only network address to connect to; undefined if a proxy resolves the name. */
  address: string | undefined;
  /** The proxy to connect through. */
  proxy: string | undefined;
}

/**
 * Destinations that the operator allowed in addition to public addresses: hosts, CIDR blocks, and origins that allow
 * only one port.
 */
export type Allowances = () => Promise<readonly string[]>;

export interface ResponseLimits {
  /** The time limit of the complete response, in milliseconds. */
  timeout?: number;
  /** The size limit of the body, in bytes. */
  size?: number;
  /** Truncates a longer body instead of rejecting it. */
  cut?: boolean;
}

/**
 * An empty form for files and fields of the same `undici` as `fetch`: a form of Node's own would be sent as the name of
 * its class.
 */
export const createFormData = async (): Promise<FormData> => new (await import('undici')).FormData();

/** The seconds of a `Retry-After` header; 0 without one or for a date. */
export function retryAfterSeconds(headers: Pick<Headers, 'get'>): number {
  const value = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(value) ? Number(value) : 0;
}

type Undici = typeof import('undici');
type Headers = Response['headers'];
type Resolve = (host: string) => Promise<Address>;

const defaults = { timeout: 10_000, size: 1024 * 1024, cut: false };

/**
 * The purposes for which an organization connects to addresses of its choice. Operators allow each of them separately.
 */
export const outboundPurposes = [
  'anchor',
  'audit-stream',
  'chat',
  'code-host',
  'evidence_destination',
  'identity-provider',
  'scanner',
  'tracker',
  'webhook',
] as const;
export type OutboundPurpose = (typeof outboundPurposes)[number];

/**
 * Returns the outbound client of an organization for one purpose, with the destinations that the operator allowed for
 * it.
 */
export type OutboundFor = (orgId: string, purpose: OutboundPurpose) => Outbound;

/** `allowances` returns the destinations that the operator allowed an organization for a purpose. */
export function createOutboundFor(
  allowances: (orgId: string, purpose: OutboundPurpose) => Promise<readonly string[]>,
  proxies: EgressProxies,
): OutboundFor {
  const agents = createAgents();
  return (orgId, purpose) => createOutbound(() => allowances(orgId, purpose), { agents, proxies });
}

interface OutboundOptions {
  resolve?: Resolve;
  agents?: ConnectionAgents;
  proxies?: EgressProxies;
}

/**
 * `allow` is read for each address that is not public, so that a change takes effect at once. Allowed destinations may
 * also be called over http.
 */
export function createOutbound(
  allow: readonly string[] | Allowances = [],
  { resolve = lookup, agents = createAgents(), proxies = { except: [] } }: OutboundOptions = {},
): Outbound {
  const allowances: Allowances = typeof allow === 'function' ? allow : async () => allow;
  return {
    async check(field, url) {
      const { target, address, proxy } = await checkDestination(field, url, { allowances, resolve, proxies });
      return { href: target.href, address: proxy === undefined ? address?.address : undefined, proxy };
    },
    async checkDirect(field, url) {
      const { target, address } = await checkDestination(field, url, { allowances, resolve, proxies: { except: [] } });
      if (address === undefined) throw Invalid(field, notPublicText);
      return { href: target.href, address: address.address, proxy: undefined };
    },
    async allows(url) {
      const parsed = parseDestination(url);
      if ('problem' in parsed) return false;
      return isAllowedByOperator(await allowances(), parsed.url, await resolveOnce(hostOfUrl(parsed.url), resolve));
    },
    async fetch(field, url, init = {}, limits = {}) {
      const { target, address, proxy } = await checkDestination(field, url, { allowances, resolve, proxies });
      // Loaded with the first request: it is a fifth of the code of a start.
      const undici = await import('undici');
      const all = { ...defaults, ...limits };
      if (proxy !== undefined) return call(undici, target, { ...init, dispatcher: await proxyAgentOf(proxy) }, all);
      if (address === undefined) throw Invalid(field, notPublicText);
      // Nothing waits between both calls, since another request may close an agent that has none.
      return call(undici, target, { ...init, dispatcher: agents.of(address, undici) }, all);
    },
  };
}

// One message for both cases: a caller without access to a network must not learn which of its names exist.
const notPublicText = 'has no public address. The host does not exist or is in a private or reserved network';

interface Route {
  target: URL;
  /** Undefined only if a proxy resolves the name. */
  address: Address | undefined;
  proxy: string | undefined;
}

async function checkDestination(
  field: string,
  text: string,
  { allowances, resolve, proxies }: { allowances: Allowances } & Required<Pick<OutboundOptions, 'resolve' | 'proxies'>>,
): Promise<Route> {
  const parsed = parseDestination(text);
  if ('problem' in parsed) throw Invalid(field, parsed.problem);
  const target = parsed.url;
  const proxy = proxyFor(proxies, target);
  const address = await resolveOnce(hostOfUrl(target), resolve);
  const isKnown = address !== undefined || proxy !== undefined;
  const problem = problemOf(target, address, isKnown);
  if (problem === undefined) return { target, address, proxy };
  const isAllowed = isAllowedByOperator(await allowances(), target, address);
  if (isKnown && isAllowed) return { target, address, proxy };
  throw Invalid(field, isAllowed ? 'contains a host that does not exist' : problem);
}

/**
 * The reason why a URL may be called only if the operator allowed it. A known name without an address is resolved by a
 * proxy.
 */
function problemOf({ protocol, port }: URL, address: Address | undefined, isKnown: boolean): string | undefined {
  if (protocol !== 'https:') return 'must start with https://';
  if (!isKnown || (address && !isPublicAddress(address.address))) return notPublicText;
  return port !== '' && Number(port) < 1024 ? 'contains a port that is not allowed for https' : undefined;
}

function isAllowedByOperator(allowed: readonly string[], url: URL, address: Address | undefined): boolean {
  const isNamed = allowed.includes(hostOfUrl(url)) || allowed.includes(url.origin);
  return isNamed || (address !== undefined && isWithin(address.address, allowed));
}

// The globally allocated range. Addresses outside of it may still reach an IPv4 address, as ::127.0.0.1 does.
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is public, in any notation. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(publicIpv6));
}

function isWithin(address: string, networks: readonly string[]): boolean {
  const parsed = ipaddr.process(address);
  return networks.some((entry) => {
    if (!ipaddr.isValidCIDR(entry)) return false;
    const [network, bits] = ipaddr.parseCIDR(entry);
    return parsed.kind() === network.kind() && parsed.match(network, bits);
  });
}

/** Resolves a host name once; undefined if the host does not exist. */
async function resolveOnce(host: string, resolve: Resolve): Promise<Address | undefined> {
  if (isIP(host)) return { address: host, family: isIP(host) };
  try {
    return await resolve(host);
  } catch {
    return undefined;
  }
}

interface Address {
  address: string;
  family: number;
}

// The maximum number of addresses with open connections, and how long they stay open, in milliseconds. Most servers
// close later.
const maxAgents = 200;
const keepAliveMs = 4_000;

/**
 * Reuses connections between calls by the address they were made to. Each call resolves and checks the name, and a name
 * that then resolves to another address uses a separate connection.
 */
export function createAgents() {
  const agents = new Map<string, Agent>();
  return {
    of(pinned: Address, undici: Undici): Agent {
      const known = agents.get(pinned.address);
      // Moves the agent to the end, so that the least recently used one is closed first.
      agents.delete(pinned.address);
      const agent = known ?? createPinnedAgent(pinned, undici);
      agents.set(pinned.address, agent);
      const [oldest] = agents.keys();
      if (agents.size > maxAgents && oldest !== undefined) {
        // close() waits for running requests.
        void agents.get(oldest)?.close();
        agents.delete(oldest);
      }
      return agent;
    },
  };
}

export type ConnectionAgents = ReturnType<typeof createAgents>;

const createPinnedAgent = (pinned: Address, undici: Undici) =>
  new undici.Agent({
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    connect: {
      timeout: defaults.timeout,
      lookup: (_host, options, done) =>
        options.all
          ? done(null, [pinned])
          : (done as unknown as (e: null, a: string, f: number) => void)(null, pinned.address, pinned.family),
    },
  });

async function call(
  undici: Undici,
  url: URL,
  init: RequestInit & { dispatcher: Dispatcher },
  { timeout, size, cut }: Required<ResponseLimits>,
) {
  try {
    const response = await undici.fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
    const bytes = await readCapped(response, size, cut);
    return { status: response.status, headers: response.headers, body: bytes.toString('utf8'), bytes };
  } catch (error) {
    throw UpstreamFailed(`${url.host} returned an unexpected response.`, reasonOf(error, timeout));
  }
}

class TooLong extends Error {}

/** A reason from a closed list: the user who entered the URL must not read details of the connection. */
function reasonOf(error: unknown, timeout: number): string {
  if (error instanceof TooLong) return error.message;
  const { name, code, cause } = error as { name?: string; code?: unknown; cause?: { name?: string; code?: unknown } };
  const known = [name, code, cause?.name, cause?.code].map(String).join(' ');
  if (/TimeoutError|_TIMEOUT|ETIMEDOUT/.test(known))
    return `It did not respond within ${Math.ceil(timeout / 1000)} seconds.`;
  if (/CERT|ERR_TLS|ERR_SSL|SELF_SIGNED|UNABLE_TO/.test(known))
    return 'Its certificate is not trusted, or it does not speak TLS.';
  if (/Proxy response/.test(messagesOf(error))) return 'The egress proxy of this server refused the connection.';
  return 'The connection failed or was closed early.';
}

const messagesOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${messagesOf(error.cause)}` : '';

async function readCapped(response: Response, most: number, cut: boolean): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    chunks.push(chunk);
    if (size <= most) continue;
    if (cut) break;
    throw new TooLong(`The response is larger than ${Math.round(most / 1024 / 1024)} MB.`);
  }
  return Buffer.concat(chunks).subarray(0, most);
}
