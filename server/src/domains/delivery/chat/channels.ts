import { severities } from '@sightline/contract/core/severities.ts';
import type { addChatChannel, ChatChannel, updateChatChannel } from '@sightline/contract/delivery/chat.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { Conflict, Invalid } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { changeDestination, deleteDestination, sealSecret } from '../destinations/commands.ts';
import { hostOf, isSameSettings } from '../destinations/queries.ts';
import { queueSending } from './commands.ts';
import { findChannel } from './queries.ts';
import { chatChannels } from './target-type.ts';
import { openWorkspace, refusalOf } from './workspace.ts';

type NewChannel = z.output<typeof addChatChannel.body>;

/** Adds a channel. Throws 409 for one that is already there, or if the limit is reached. */
export async function addChannel(services: Services, actor: Actor, given: NewChannel): Promise<ChatChannel> {
  const { orgId } = actor;
  const id = newId();
  const place = await placeOf(services, orgId, id, given);
  return changeDestination(services, actor, chatChannels, async (tx, recordChange) => {
    await requireCapacityOfChannels(tx, orgId);
    await requireRepositories(tx, orgId, given.repositories);
    const { types, minSeverity, repositories } = given;
    const inserted = await tx.db
      .insertInto('chat_target')
      .values({
        org_id: orgId,
        id,
        service: given.service,
        ...place,
        types,
        min_severity: severities.indexOf(minSeverity),
        repositories,
        created_by: actor.accountId,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) throw Conflict(`${place.name} receives messages already.`);
    const channel = await findChannel(tx, orgId, id);
    await recordChange(id, 'chat_channel.added', auditDataOf(channel));
    return channel;
  });
}

/** Name and address of a new channel. */
async function placeOf(services: Services, orgId: string, id: string, given: NewChannel) {
  if (given.service === 'teams') {
    await services.outboundFor(orgId, 'chat').check('url', given.url);
    return {
      name: given.name,
      address: null,
      host: hostOf(given.url),
      secret_sealed: sealSecret(services, chatChannels, { orgId, id }, given.url),
    };
  }
  const found = await (await openWorkspace(services, orgId)).findChannel(given.channel);
  if (found === undefined) throw Invalid('channel', 'does not exist, or the app cannot see it');
  if ('failure' in found) throw refusalOf(found.failure);
  return { name: `#${found.name}`, address: found.id, host: null, secret_sealed: null };
}

/** The table contains people too, who are limited by their number. */
async function requireCapacityOfChannels({ db }: Tx, orgId: string): Promise<void> {
  const { count } = await db
    .selectFrom('chat_target')
    .where('org_id', '=', orgId)
    .where('account_id', 'is', null)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  const { max, plural } = chatChannels;
  if (count >= max) throw Conflict(`The limit of ${max} ${plural} is reached. Remove unused ones.`);
}

async function requireRepositories({ db }: Tx, orgId: string, ids: readonly string[] | null): Promise<void> {
  if (ids === null) return;
  const rows = await db
    .selectFrom('repository')
    .where('org_id', '=', orgId)
    .where('id', 'in', [...ids])
    .select('id')
    .execute();
  const unknown = ids.find((id) => !rows.some((row) => row.id === id));
  if (unknown !== undefined) throw Invalid('repositories', `contains an unknown repository (${unknown})`);
}

/** Updates the given fields. Records nothing if no value changes. */
export async function updateChannel(
  services: Services,
  actor: Actor,
  id: string,
  { url, ...changes }: z.output<typeof updateChatChannel.body>,
): Promise<ChatChannel> {
  const { orgId } = actor;
  if (url !== undefined) await services.outboundFor(orgId, 'chat').check('url', url);
  return changeDestination(services, actor, chatChannels, async (tx, recordChange) => {
    const was = await findChannel(tx, orgId, id);
    if (was.service === 'slack' && (url !== undefined || changes.name !== undefined)) {
      throw Invalid(url === undefined ? 'name' : 'url', 'can be changed only for Microsoft Teams');
    }
    await requireRepositories(tx, orgId, changes.repositories ?? null);
    const before = auditDataOf(was);
    const after = auditDataOf({ ...was, ...defined(changes), ...enabledStateOf(was, changes.enabled) });
    if (url === undefined && isSameSettings(before, after)) return was;
    const wasEnabled = after.enabled && (!before.enabled || url !== undefined);
    await tx.db
      .updateTable('chat_target')
      .set({
        ...columnsOf(changes),
        enabled: after.enabled,
        ...(url !== undefined && {
          host: hostOf(url),
          secret_sealed: sealSecret(services, chatChannels, { orgId, id }, url),
        }),
        ...(wasEnabled && healthy),
      })
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .execute();
    if (wasEnabled) await queueSending(services.jobs, tx, { orgId, targetId: id });
    await recordChange(id, 'chat_channel.changed', {
      ...nameData(was),
      before,
      after: { ...after, ...(url !== undefined && { host: hostOf(url), addressReplaced: true }) },
    });
    return findChannel(tx, orgId, id);
  });
}

/** The columns of the given settings. */
const columnsOf = ({
  name,
  types,
  minSeverity,
  repositories,
}: Omit<z.output<typeof updateChatChannel.body>, 'url' | 'enabled'>) => ({
  ...(name !== undefined && { name }),
  ...(types !== undefined && { types }),
  ...(minSeverity !== undefined && { min_severity: severities.indexOf(minSeverity) }),
  ...(repositories !== undefined && { repositories }),
});

const healthy = {
  failing_since: null,
  auto_disabled_at: null,
  failures: 0,
  problem: null,
  limited: false,
  resumes_at: sql<Date>`now()`,
};

/** Removes a channel with its messages. */
export const removeChannel = (services: Services, actor: Actor, id: string): Promise<null> =>
  changeDestination(services, actor, chatChannels, async (tx, recordChange) => {
    const channel = await findChannel(tx, actor.orgId, id);
    await deleteDestination(tx, chatChannels, actor.orgId, id);
    await recordChange(id, 'chat_channel.removed', nameData(channel));
    return null;
  });

const isEnabled = ({ state }: Pick<ChatChannel, 'state'>) => state !== 'off' && state !== 'auto_disabled';

const enabledStateOf = (was: ChatChannel, enabled: boolean | undefined): { state: ChatChannel['state'] } => ({
  state: (enabled ?? isEnabled(was)) ? 'active' : 'off',
});

const nameData = ({ name, host, service }: ChatChannel) => ({ channel: name, service, ...(host !== null && { host }) });

// Of the URL of a workflow, only the host: the rest of it is a secret.
const auditDataOf = (channel: ChatChannel) => ({
  ...nameData(channel),
  types: channel.types ?? 'all',
  minSeverity: channel.minSeverity,
  repositories: channel.repositories ?? 'all',
  enabled: isEnabled(channel),
});

const defined = <T extends object>(values: T): Partial<{ [K in keyof T]: Exclude<T[K], undefined> }> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
