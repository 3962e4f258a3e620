import type { AgentSetup } from '@sightline/contract/tools/agent-sessions.ts';
import type { Actor } from '#core/actor.ts';
import type { Services } from '#core/services.ts';
import { listLastReceived } from './queries.ts';
import type { SetupText } from './vendor.ts';
import { agentVendors } from './vendors.ts';

/** Returns the settings of each agent with the address of this server. */
export async function findSetup({ config, database }: Services, actor: Actor): Promise<AgentSetup[]> {
  const received = await database.withOrg(actor.orgId, (tx) => listLastReceived(tx, actor));
  const address = config.PUBLIC_URL.replace(/\/$/, '');
  const filesOf = (files: readonly SetupText[]) =>
    files.map(({ name, text }) => ({ name, text: text.replaceAll('{address}', address) }));
  return agentVendors.map(({ id, name, setup: { personal, organization, note = null } }) => ({
    id,
    name,
    personal: filesOf(personal),
    organization: filesOf(organization),
    note,
    lastReceivedAt: received.get(id)?.toISOString() ?? null,
  }));
}
