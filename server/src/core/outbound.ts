import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, type Dispatcher, FormData, fetch, type RequestInit, type Response } from 'undici';
import { hostIn, parseDestination } from './destination.ts';
import { agentThrough, type EgressProxies, proxyFor } from './egress.ts';
import { Invalid, UpstreamFailed } from './errors.ts';

export interface Outbound {
  /** Throws `Invalid(field)` for an address that `fetch` would not call; connects to nothing. */
  check: (field: string, url: string) => Promise<CheckedAddress>;
  /** The same for a program that knows no proxies. */
  checkDirect: (field: string, url: string) => Promise<CheckedAddress & { address: string }>;
  /** Whether the operator allowed an address, wherever it leads. */
  allows: (url: string) => Promise<boolean>;
  /**
   * Fetches a URL that a person gave: https only, resolved once, private and reserved addresses rejected, the
   * connection pinned to the address that was checked, no redirects, 10 s and at most 1 MB unless `limits` say more.
   * Through an egress proxy it is the proxy that resolves the name: what resolves here to a private address is rejected all the same.
   * Throws `Invalid(field)` for an address that must not be called and `UpstreamFailed` for one that does not answer.
   */
  fetch: (
    field: string,
    url: string,
    init?: RequestInit,
    limits?: Limits,
  ) => Promise<{ status: number; headers: Headers; body: string; bytes: Buffer }>;
}

/** What another program may be given of an address: nothing else of it was checked. */
export interface CheckedAddress {
  href: string;
  /** The network address to connect to, and no other; undefined where a proxy resolves the name. */
  address: string | undefined;
  /** The proxy to connect through. */
  proxy: string | undefined;
}

/** What the operator allowed beside public addresses: hosts, CIDR blocks, and origins where no other port of a host is meant. */
export type Allowances = () => Promise<readonly string[]>;

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

/** What an organization connects to addresses of its own choice for; operators allow each of them separately. */
export const outboundPurposes = [
  'anchor',
  'audit-stream',
  'code-host',
  'evidence_destination',
  'scanner',
  'webhook',
] as const;
export type OutboundPurpose = (typeof outboundPurposes)[number];

/** The way out of an organization for one purpose, with what its operator allowed for that. */
export type OutboundFor = (orgId: string, purpose: OutboundPurpose) => Outbound;

/** `allowances`: what the operator allowed an organization for a purpose. */
export function createOutboundFor(
  allowances: (orgId: string, purpose: OutboundPurpose) => Promise<readonly string[]>,
  proxies: EgressProxies,
): OutboundFor {
  const agents = createAgents();
  return (orgId, purpose) => createOutbound(() => allowances(orgId, purpose), { agents, proxies });
}

interface Means {
  resolve?: Resolve;
  agents?: Agents;
  proxies?: EgressProxies;
}

/** `allow`: read for each address that is not public, so that a change counts at once; they may be called by http too. */
export function createOutbound(
  allow: readonly string[] | Allowances = [],
  { resolve = lookup, agents = createAgents(), proxies = { except: [] } }: Means = {},
): Outbound {
  const allowances: Allowances = typeof allow === 'function' ? allow : async () => allow;
  return {
    async check(field, url) {
      const { target, address, proxy } = await checkDestination(field, url, { allowances, resolve, proxies });
      return { href: target.href, address: proxy === undefined ? address?.address : undefined, proxy };
    },
    async checkDirect(field, url) {
      const { target, address } = await checkDestination(field, url, { allowances, resolve, proxies: { except: [] } });
      if (address === undefined) throw Invalid(field, notPublic);
      return { href: target.href, address: address.address, proxy: undefined };
    },
    async allows(url) {
      const parsed = parseDestination(url);
      if ('problem' in parsed) return false;
      return isCovered(await allowances(), parsed.url, await resolveOnce(hostIn(parsed.url), resolve));
    },
    async fetch(field, url, init = {}, limits = {}) {
      const { target, address, proxy } = await checkDestination(field, url, { allowances, resolve, proxies });
      if (proxy !== undefined) return call(agentThrough(proxy), target, init, { ...defaults, ...limits });
      if (address === undefined) throw Invalid(field, notPublic);
      return call(agents.of(address), target, init, { ...defaults, ...limits });
    },
  };
}

// One answer for both: who may not call a network must not learn which of its names exist.
const notPublic = 'has no public address. The host does not exist or is in a private or reserved network';

interface Route {
  target: URL;
  /** Undefined only where a proxy resolves the name. */
  address: Address | undefined;
  proxy: string | undefined;
}

async function checkDestination(
  field: string,
  text: string,
  { allowances, resolve, proxies }: { allowances: Allowances } & Required<Pick<Means, 'resolve' | 'proxies'>>,
): Promise<Route> {
  const parsed = parseDestination(text);
  if ('problem' in parsed) throw Invalid(field, parsed.problem);
  const target = parsed.url;
  const proxy = proxyFor(proxies, target);
  const address = await resolveOnce(hostIn(target), resolve);
  const isKnown = address !== undefined || proxy !== undefined;
  const problem = problemOf(target, address, isKnown);
  if (problem === undefined) return { target, address, proxy };
  const isAllowed = isCovered(await allowances(), target, address);
  if (isKnown && isAllowed) return { target, address, proxy };
  throw Invalid(field, isAllowed ? 'contains a host that does not exist' : problem);
}

/** Why an address may be called only where the operator allowed it; a name that is known and has no address a proxy resolves. */
function problemOf({ protocol, port }: URL, address: Address | undefined, isKnown: boolean): string | undefined {
  if (protocol !== 'https:') return 'must start with https://';
  if (!isKnown || (address && !isPublic(address.address))) return notPublic;
  return port !== '' && Number(port) < 1024 ? 'contains a port that is not allowed for https' : undefined;
}

function isCovered(allowed: readonly string[], url: URL, address: Address | undefined): boolean {
  const isNamed = allowed.includes(hostIn(url)) || allowed.includes(url.origin);
  return isNamed || (address !== undefined && isWithin(address.address, allowed));
}

// All that is handed out to the public; what lies outside may still reach an IPv4 address, as ::127.0.0.1 does.
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is an ordinary public one, in whichever form it is written. */
export function isPublic(address: string): boolean {
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

/** Undefined where there is no such host. */
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

// So many addresses keep their connections, for so many milliseconds after a call: shorter than most servers do.
const mostAgents = 200;
const keptOpenFor = 4_000;

/**
 * Connections stay open from one call to the next, for the address they were made to: a name is looked up and checked for every
 * call, and one that leads elsewhere by then goes there by a connection of its own.
 */
export function createAgents() {
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

export type Agents = ReturnType<typeof createAgents>;

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

async function call(agent: Dispatcher, url: URL, init: RequestInit, { timeout, size, cut }: Required<Limits>) {
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
    throw UpstreamFailed(`${url.host} returned an unexpected response.`, reasonOf(error, timeout));
  }
}

class TooLong extends Error {}

/** A reason of a closed list: the person who entered the address must not read details of the connection. */
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
