import type { Provider } from '@sightline/contract/core/providers.ts';
import { type CodeHost, HostRefused } from './code-host.ts';

/** Answers the host as one installation of an organization may ask it; undefined where it may not any more. */
export type OpenHost = (orgId: string, installationId: string) => Promise<CodeHost | undefined>;

/** The one way to any code host: whoever asks knows no host by name. */
export interface CodeHosts {
  /** Throws HostRefused 404 where the host is not connected. */
  of: (orgId: string, provider: string, installationId: string) => Promise<CodeHost>;
  /** The same; undefined where it is not connected. */
  maybe: (orgId: string, provider: string, installationId: string) => Promise<CodeHost | undefined>;
}

/** `hosts`: those the operator lets people connect. */
export function createCodeHosts(hosts: Partial<Record<Provider, OpenHost>>): CodeHosts {
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
