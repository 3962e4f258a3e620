import {
  type ChatServiceName,
  chatServices,
  chatServiceTitles,
  type OwnChat,
} from '@sightline/contract/delivery/chat.ts';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { sealSecret } from '../destinations/commands.ts';
import { hostOf } from '../destinations/queries.ts';
import { healthOf, maybeWorkspace, selectTargets } from './queries.ts';
import { announceChat, chatChannels } from './target-type.ts';
import { sendTest } from './test-message.ts';
import { openWorkspace, refusalOf } from './workspace.ts';

/** Where a member receives chat messages, for each service. */
export async function listOwn(tx: Tx, { orgId, accountId }: Pick<Actor, 'orgId' | 'accountId'>): Promise<OwnChat[]> {
  const rows = await selectTargets(tx, orgId).where('t.account_id', '=', accountId).execute();
  const workspace = await maybeWorkspace(tx, orgId);
  return chatServices.map((service) => {
    const row = rows.find((one) => one.service === service);
    return {
      service,
      available: service === 'teams' || workspace !== undefined,
      linked: row ? { name: row.name, ...healthOf(row) } : null,
    };
  });
}

async function findOwn(tx: Tx, actor: Actor, service: ChatServiceName): Promise<OwnChat> {
  const own = (await listOwn(tx, actor)).find((one) => one.service === service);
  if (!own) throw NotFound('Chat service');
  return own;
}

/** Links the Slack user with the confirmed address of a member, or a Teams workflow. Replaces an earlier link. */
export async function linkOwn(
  services: Services,
  actor: Actor,
  service: ChatServiceName,
  url: string | undefined,
): Promise<OwnChat> {
  const { orgId, accountId } = actor;
  const id = newId();
  const place = service === 'slack' ? await slackUserOf(services, actor) : await workflowOf(services, orgId, id, url);
  return services.database.withOrg(orgId, async (tx) => {
    await tx.db
      .deleteFrom('chat_target')
      .where('org_id', '=', orgId)
      .where('account_id', '=', accountId)
      .where('service', '=', service)
      .execute();
    await tx.db
      .insertInto('chat_target')
      .values({ org_id: orgId, id, service, account_id: accountId, ...place, created_by: accountId })
      .execute();
    await recordChange(services, tx, actor, { action: 'chat_person.linked', service });
    return findOwn(tx, actor, service);
  });
}

async function slackUserOf(services: Services, { orgId, accountId }: Actor) {
  const workspace = await openWorkspace(services, orgId);
  const email = await services.database.withOrg(orgId, async ({ db }) => {
    const row = await db
      .selectFrom('account')
      .where('id', '=', accountId)
      .where('email_verified_at', 'is not', null)
      .select('email')
      .executeTakeFirst();
    return row?.email;
  });
  // An unconfirmed address may belong to another person, who would receive the notifications.
  if (email === undefined) throw Conflict('Confirm your email address first.');
  const user = await workspace.findUser(email);
  if (user === undefined) throw Conflict(`No person in the Slack workspace has your address, ${email}.`);
  if ('failure' in user) throw refusalOf(user.failure);
  return { name: `@${user.name}`, address: user.id, host: null, secret_sealed: null };
}

async function workflowOf(services: Services, orgId: string, id: string, url: string | undefined) {
  if (url === undefined) throw Invalid('url', 'is needed');
  await services.outboundFor(orgId, 'chat').check('url', url);
  return {
    name: hostOf(url),
    address: null,
    host: hostOf(url),
    secret_sealed: sealSecret(services, chatChannels, { orgId, id }, url),
  };
}

/** Ends the messages to a member. */
export function unlinkOwn(services: Services, actor: Actor, service: ChatServiceName): Promise<null> {
  const { orgId, accountId } = actor;
  return services.database.withOrg(orgId, async (tx) => {
    const deleted = await tx.db
      .deleteFrom('chat_target')
      .where('org_id', '=', orgId)
      .where('account_id', '=', accountId)
      .where('service', '=', service)
      .returning('id')
      .executeTakeFirst();
    if (deleted) await recordChange(services, tx, actor, { action: 'chat_person.unlinked', service });
    return null;
  });
}

/** Sends a test message to a member. Throws 404 if the service is not linked. */
export async function testOwn(services: Services, { orgId, accountId }: Actor, service: ChatServiceName) {
  const target = await services.database.withOrg(orgId, ({ db }) =>
    db
      .selectFrom('chat_target')
      .where('org_id', '=', orgId)
      .where('account_id', '=', accountId)
      .where('service', '=', service)
      .select('id')
      .executeTakeFirst(),
  );
  if (!target) throw NotFound(chatServiceTitles[service]);
  return sendTest(services, orgId, target.id);
}

async function recordChange(
  services: Services,
  tx: Tx,
  actor: Actor,
  { action, service }: { action: 'chat_person.linked' | 'chat_person.unlinked'; service: ChatServiceName },
): Promise<void> {
  const { orgId, accountId } = actor;
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor,
    entry: {
      action,
      subject: { kind: 'member', id: accountId },
      data: { service: chatServiceTitles[service] },
    },
  });
  tx.afterCommit(() => {
    announceChat(services, orgId);
    services.realtime.notifyAccount(accountId, 'notificationsChanged', {});
  });
}
