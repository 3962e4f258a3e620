import type { ChatServiceName } from '@sightline/contract/delivery/chat.ts';
import type { Actor } from '#core/actor.ts';
import { Conflict } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { linkTo } from '#core/organization-link.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { changeDestination } from '../destinations/commands.ts';
import { openSecrets } from '../destinations/queries.ts';
import { queueSending } from './commands.ts';
import { findChannel, maybeWorkspace } from './queries.ts';
import { recordRejection } from './rejection.ts';
import { setHealthy } from './results.ts';
import { workspaceSecret } from './secrets.ts';
import { announceChat, chatChannels } from './target-type.ts';

/** Sends a test message to a channel and waits for the result. Throws 409 for a disabled channel. */
export async function testChannel(
  services: Services,
  actor: Actor,
  id: string,
): Promise<{ ok: boolean; problem: string | null }> {
  const { orgId } = actor;
  await changeDestination(services, actor, chatChannels, async (tx, recordChange) => {
    const { state, name, service } = await findChannel(tx, orgId, id);
    if (state === 'off' || state === 'auto_disabled') throw Conflict('The channel is disabled. Enable it first.');
    await recordChange(id, 'chat_channel.tested', { channel: name, service });
  });
  return sendTest(services, orgId, id);
}

/** Sends a test message to a channel or person. After a success, delayed messages are sent immediately. */
export async function sendTest(
  services: Services,
  orgId: string,
  targetId: string,
): Promise<{ ok: boolean; problem: string | null }> {
  const { database, chat, config, outboundFor } = services;
  const target = await database.withOrg(orgId, (tx) => findAddress(services, tx, orgId, targetId));
  const result = await chat[target.service].post(outboundFor(orgId, 'chat'), config.slack.apiURL, target, {
    id: newId(),
    organization: target.organization,
    content: { test: { link: linkTo(config.PUBLIC_URL, '/', orgId) } },
    thread: null,
  });
  await database.withOrg(orgId, async (tx) => {
    if (!('failure' in result)) {
      await setHealthy(tx, { orgId, targetId });
      await queueSending(services.jobs, tx, { orgId, targetId });
    } else if (result.failure.of === 'workspace') {
      await recordRejection(services, tx, orgId, { reason: result.failure.message });
    }
    tx.afterCommit(() => announceChat(services, orgId));
  });
  return 'failure' in result ? { ok: false, problem: result.failure.message } : { ok: true, problem: null };
}

async function findAddress(services: Services, tx: Tx, orgId: string, id: string) {
  const { service, address, organization } = await tx.db
    .selectFrom('chat_target as t')
    .innerJoin('organization as o', 'o.id', 't.org_id')
    .where('t.org_id', '=', orgId)
    .where('t.id', '=', id)
    .select(['t.service', 't.address', 'o.display_name as organization'])
    .executeTakeFirstOrThrow();
  if (address === null) {
    const [url = ''] = await openSecrets(services, tx, chatChannels, { orgId, id });
    return { service: service as ChatServiceName, organization, to: url, token: '' };
  }
  const workspace = await maybeWorkspace(tx, orgId);
  if (!workspace) throw Conflict('Slack is not connected. Connect it first.');
  const token = services.secrets.open(workspaceSecret(orgId, 'token'), workspace.token_sealed).toString();
  return { service: service as ChatServiceName, organization, to: address, token };
}
