import type { ConnectableHost, HostCheck } from '@sightline/contract/sources/host-connections.ts';
import { Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { openConnectedHost } from './queries.ts';
import { hostRefusal } from './refusals.ts';

/** Calls a host with the stored token and returns the result as a response. Throws 409 without a connection. */
export async function testHostConnection(
  services: Services,
  orgId: string,
  provider: ConnectableHost,
): Promise<HostCheck> {
  const host = await openConnectedHost(services, orgId, provider);
  try {
    const { missing } = await host.look();
    return { ok: true, problem: null, missing };
  } catch (error) {
    const refusal = hostRefusal(error);
    if (!(refusal instanceof Refusal)) throw error;
    return { ok: false, problem: refusal.message, missing: [] };
  }
}
