import type { Provider } from '@sightline/contract/core/providers.ts';
import { type CodeHost, HostRefused } from './code-host.ts';

/** Opens a host with the access of one installation of an organization; undefined if it is disconnected. */
export type CodeHostOpener = (orgId: string, installationId: string) => Promise<CodeHost | undefined>;

/** Access to code hosts, so that callers do not depend on a specific host. */
export interface CodeHosts {
  /** The host of an installation. Throws HostRefused 404 if it is not connected. */
  of: (orgId: string, provider: string, installationId: string) => Promise<CodeHost>;
  /** The host of an installation; undefined if it is not connected. */
  maybe: (orgId: string, provider: string, installationId: string) => Promise<CodeHost | undefined>;
}

/** `hosts`: the hosts that the operator enabled. */
export function createCodeHosts(hosts: Partial<Record<Provider, CodeHostOpener>>): CodeHosts {
  const maybe = async (orgId: string, provider: string, installationId: string) => {
    const open = Object.hasOwn(hosts, provider) ? hosts[provider as Provider] : undefined;
    return open?.(orgId, installationId);
  };
  return {
    maybe,
    async of(orgId, provider, installationId) {
      const host = await maybe(orgId, provider, installationId);
      if (!host) throw new HostRefused(404, 'The code host of this repository is no longer connected.');
      return host;
    },
  };
}
