import {
  permissionScopeOf,
  type RoleId,
  repositoryPermissions,
  roleIds,
} from '@sightline/contract/core/permissions.ts';
import type { Provider } from '@sightline/contract/core/providers.ts';
import { severities as severityNames } from '@sightline/contract/core/severities.ts';
import { notificationTypeDefinition } from '@sightline/contract/delivery/notification-types.ts';
import { MAX_NOTIFICATION_EVENTS } from '@sightline/contract/delivery/notifications.ts';
import { isArchived } from '#core/archived.ts';
import { newId } from '#core/ids.ts';
import { hasOutgoingWebhooks, queueOutgoingEvent } from '#core/outgoing-events.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

import { type ChatItem, itemsForChannels, queueMessages, type TargetedItem } from '../chat/commands.ts';
import type { Cause, NewNotification } from './commands.ts';
import { builtInDefaults } from './effective-sql.ts';
import { insertNotificationsSql } from './insert-sql.ts';
import { lockDelivery } from './lock.ts';
import { noteOf, titleOf } from './mails.ts';
import { type NotificationText, wordsOf } from './notification-text.ts';
import { itemsOf } from './queries.ts';

/** Pending notifications delivered in one transaction. */
const MAX_PER_BATCH = 500;

type PendingNotification = NewNotification & { cause: Cause };

/** Merged pending notifications of one cause. */
interface MergedNotification extends NotificationText {
  cause: Cause;
}

/** Delivers the pending notifications of an organization, each once, and schedules their e-mails. */
export async function deliverPending(services: Services, orgId: string): Promise<void> {
  let more = true;
  while (more) more = await services.database.withOrg(orgId, (tx) => deliverBatch(services, tx, orgId));
}

async function deliverBatch(services: Services, tx: Tx, orgId: string): Promise<boolean> {
  await lockDelivery(tx, orgId);
  const rows = await tx.query<{ notification: PendingNotification }>({
    name: 'notifications.dequeue',
    text: `with dequeued as (
             delete from notification_pending p where p.org_id = $1 and p.id in (
               select id from notification_pending where org_id = $1 order by id limit ${MAX_PER_BATCH})
             returning p.id, p.notification)
           select notification from dequeued order by id`,
    values: [orgId],
  });
  if (rows.length === 0 || (await isArchived(tx, orgId))) return rows.length === MAX_PER_BATCH;
  const pending = rows.map(({ notification }) => notification);
  const accounts = await accountsIn(tx, pending);
  const merged = mergeOf(pending, accounts);
  const providers = await providersOf(tx, orgId, merged);
  const outgoing = (await hasOutgoingWebhooks(tx, orgId)) ? merged : [];
  for (const one of outgoing)
    await queueOutgoingEvent(services.jobs, tx, orgId, outgoingOf(one, services.config.PUBLIC_URL));
  const at = new Date();
  const forChannels = await itemsForChannels(tx, orgId, merged.map(chatItemOf), at);
  if (!(await services.flags.isOn('notificationSystem', { accountId: orgId, orgId, isKey: true }))) {
    await queueMessages(services, tx, orgId, { items: forChannels, text: chatText });
    return rows.length === MAX_PER_BATCH;
  }
  const written = await tx.query<WrittenRow>({
    name: '',
    text: insertNotificationsSql,
    values: [
      orgId,
      JSON.stringify(merged.map((one, index) => rowOf(one, index, at, { accounts, providers }))),
      builtInDefaults,
      at,
    ],
  });
  const inserted = written.filter(({ message }) => message === null);
  const items = [...forChannels, ...written.flatMap(({ message }) => (message ? [messageOf(message)] : []))];
  await queueMessages(services, tx, orgId, { items, text: chatText });
  if (inserted.some(({ instant }) => instant)) await queueDigests(services, tx, orgId, new Date(at.getTime() + 61_000));
  const latest = await itemsOf(tx, orgId, latestOf(inserted));
  tx.afterCommit(() => {
    for (const { accountId, item } of latest) services.realtime.notifyMember(orgId, accountId, 'newNotification', item);
  });
  return rows.length === MAX_PER_BATCH;
}

interface WrittenRow {
  account_id: string;
  id: string;
  instant: boolean;
  /** A message to a chat instead of a row of the inbox. */
  message: (TargetedItem['item'] & { target: string; due: string }) | null;
}

const chatText = { titleOf, noteOf };

const chatItemOf = (one: MergedNotification): ChatItem => ({
  ...one,
  weighed: notificationTypeDefinition(one.type).weighed === true,
});

const messageOf = ({ target, due, ...item }: NonNullable<WrittenRow['message']>): TargetedItem => ({
  targetId: target,
  item,
  due: new Date(due),
});

/** Notifications of one batch sent to the sockets of an account, which load the others with the next request. */
const MAX_SENT_PER_ACCOUNT = 5;

/** The latest notifications of each account. Their IDs are in the order of their times. */
const latestOf = (inserted: readonly { account_id: string; id: string }[]) =>
  [...Map.groupBy(inserted, ({ account_id }) => account_id).values()].flatMap((own) =>
    own.toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(-MAX_SENT_PER_ACCOUNT),
  );

/** Queues the e-mails of an organization once this transaction commits. */
export const queueDigests = ({ jobs }: Services, tx: Tx, orgId: string, startAfter?: Date): Promise<void> =>
  jobs.enqueue(tx, 'notifications.send', { orgId }, { key: orgId, ...(startAfter && { startAfter }) });

/** Merges notifications with the same scope and cause; the latest text is used. */
function mergeOf(
  pending: readonly PendingNotification[],
  accounts: ReadonlyMap<string, NotifiedAccount>,
): MergedNotification[] {
  const nameOf = (id: string) => accounts.get(id)?.name ?? 'Unknown person';
  const merged = new Map<string, MergedNotification>();
  for (const { cause, ...notification } of pending) {
    const text = wordsOf(notification as NewNotification, nameOf);
    const key = JSON.stringify([text.scope, cause, text.authors, text.assigned, text.type]);
    const before = merged.get(key);
    merged.delete(key);
    merged.set(key, {
      ...text,
      cause,
      count: text.count + (before?.count ?? 0),
      // Several items have no thread in common.
      thread: before && before.thread !== text.thread ? null : text.thread,
      events: [...(before?.events ?? []), ...text.events].slice(-MAX_NOTIFICATION_EVENTS),
      tally: text.tally && (text.tally.map((count, index) => count + (before?.tally?.[index] ?? 0)) as never),
    });
  }
  // Of alternating states, such as failing and recovering, only the current one is delivered.
  const last = new Map([...merged.values()].map(({ scope, type }) => [scope, type]));
  return [...merged.values()].filter(({ scope, type }) => last.get(scope) === type);
}

interface NotifiedAccount {
  id: string;
  name: string;
  picture: string | null;
}

/** The accounts that the notifications name, with their display names. */
async function accountsIn(tx: Tx, pending: readonly PendingNotification[]): Promise<Map<string, NotifiedAccount>> {
  const ids = pending.flatMap(({ cause, ...notification }) => [
    ...(cause && 'account' in cause ? [cause.account] : []),
    ...('accountId' in notification ? [notification.accountId] : []),
  ]);
  const rows = await tx.query<NotifiedAccount>({
    name: 'notifications.accounts',
    text: 'select id, name, picture from account where id = any($1::uuid[])',
    values: [[...new Set(ids)]],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** The code hosts of the repositories that the notifications name. */
async function providersOf(tx: Tx, orgId: string, merged: readonly NotificationText[]): Promise<Map<string, Provider>> {
  const ids = [...new Set(merged.flatMap(({ repositoryId }) => repositoryId ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{ id: string; provider: Provider }>({
    name: 'notifications.providers',
    text: 'select id, provider from repository where org_id = $1 and id = any($2::uuid[])',
    values: [orgId, ids],
  });
  return new Map(rows.map(({ id, provider }) => [id, provider]));
}

/**
 * The scope in which members with a role are notified: that of the permission, limited to that of the repository's code
 * host. Undefined: they are not notified.
 */
function audienceScopeOf(
  role: RoleId,
  { type, repositoryId }: NotificationText,
  providers: ReadonlyMap<string, Provider>,
) {
  const { audience } = notificationTypeDefinition(type);
  if (audience === null) return undefined;
  const provider = repositoryId === null ? undefined : providers.get(repositoryId);
  const scopes = [
    permissionScopeOf(role, audience),
    ...(provider ? [permissionScopeOf(role, repositoryPermissions[provider])] : []),
  ];
  if (scopes.includes(undefined)) return undefined;
  return scopes.includes('own') ? 'own' : 'all';
}

interface NamesById {
  accounts: ReadonlyMap<string, NotifiedAccount>;
  providers: ReadonlyMap<string, Provider>;
}

function rowOf({ cause, ...text }: MergedNotification, index: number, at: Date, { accounts, providers }: NamesById) {
  const { weighed } = notificationTypeDefinition(text.type);
  const roles = (scope: 'all' | 'own') => roleIds.filter((role) => audienceScopeOf(role, text, providers) === scope);
  const account = cause && 'account' in cause ? cause.account : null;
  const integration = cause && 'integration' in cause ? { id: null, name: cause.integration, picture: null } : null;
  return {
    ...text,
    n: index,
    // Orders notifications of one batch in lists.
    id: newId(at.getTime() + index),
    weighed: weighed === true,
    actor: account === null ? integration : (accounts.get(account) ?? null),
    actor_account: account,
    audience_all: roles('all'),
    audience_own: roles('own'),
    repository: text.repositoryId,
  };
}

/** The event for outgoing webhooks, one for all recipients. */
const outgoingOf = (
  { type, title, titles, body, link, subject, severity, count, tally }: MergedNotification,
  url: string,
) => ({
  type,
  data: {
    title: count === 1 ? title : titles.replace('{count}', String(count)),
    body,
    link: new URL(link, url).href,
    subject,
    severity: severityNames[severity],
    count,
    ...(tally && { severities: Object.fromEntries(severityNames.map((name, index) => [name, tally[index] ?? 0])) }),
  },
});
