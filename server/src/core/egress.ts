import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Dispatcher, ProxyAgent } from 'undici';
import { hostOfUrl } from './destination.ts';

/** The egress proxies for HTTP, as URLs, and the hosts that are reached without them. */
export interface EgressProxies {
  https?: string | undefined;
  http?: string | undefined;
  /** `*`, hosts (`.example.org` and `*.example.org` for subdomains), `host:port`, addresses and CIDR blocks. */
  except: readonly string[];
}

/** The proxy for a URL; undefined if it is reached directly, as this machine always is. */
export function proxyFor({ https, http, except }: EgressProxies, url: URL): string | undefined {
  const proxy = url.protocol === 'https:' ? https : http;
  if (proxy === undefined || isThisMachine(hostOfUrl(url))) return undefined;
  return except.some((entry) => matches(entry.toLowerCase(), url)) ? undefined : proxy;
}

const isThisMachine = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  (isIP(host) !== 0 && ipaddr.process(host).range() === 'loopback');

function matches(entry: string, url: URL): boolean {
  if (entry === '*') return true;
  const host = hostOfUrl(url);
  if (ipaddr.isValidCIDR(entry)) {
    if (isIP(host) === 0) return false;
    const [network, bits] = ipaddr.parseCIDR(entry);
    const address = ipaddr.process(host);
    return address.kind() === network.kind() && address.match(network, bits);
  }
  const colon = isIP(entry) === 0 ? entry.lastIndexOf(':') : -1;
  const hasPort = colon >= 0 && /^\d+$/.test(entry.slice(colon + 1));
  if (hasPort && entry.slice(colon + 1) !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) return false;
  const name = (hasPort ? entry.slice(0, colon) : entry).replace(/^\[|\]$/g, '').replace(/^\*\./, '.');
  return name.startsWith('.') ? host.endsWith(name) : host === name || host.endsWith(`.${name}`);
}

const agents = new Map<string, ProxyAgent>();

/** The connection pool to a proxy, shared by the process. */
export const proxyAgentOf = async (proxy: string): Promise<ProxyAgent> => agentIn(await import('undici'), proxy);

function agentIn(undici: typeof import('undici'), proxy: string): ProxyAgent {
  const agent = agents.get(proxy) ?? new undici.ProxyAgent(proxy);
  agents.set(proxy, agent);
  return agent;
}

/** Routes `fetch` of this process through the proxies, if any are configured. */
export async function routeFetchThroughProxies(proxies: EgressProxies): Promise<void> {
  if (proxies.https === undefined && proxies.http === undefined) return;
  const undici = await import('undici');
  const choose: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
    const proxy = options.origin === undefined ? undefined : proxyFor(proxies, new URL(options.origin));
    return proxy === undefined ? dispatch(options, handler) : agentIn(undici, proxy).dispatch(options, handler);
  };
  undici.setGlobalDispatcher(new undici.Agent().compose(choose));
}
