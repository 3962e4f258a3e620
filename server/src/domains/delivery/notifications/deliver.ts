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
import { queueOutgoingEvent } from '#core/outgoing.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { Cause } from './commands.ts';
import { builtIn } from './effective-sql.ts';
import { tellSql } from './insert-sql.ts';
import { lockTelling } from './lock.ts';
import type { News } from './notice.ts';
import { itemsOf } from './queries.ts';
import { type NotificationText, wordsOf } from './wording.ts';

/** Pieces of news that are told in one transaction. */
const batch = 500;

type Raised = News & { cause: Cause };

/** What one person is told, by how many pieces of news. */
interface PersonalNotification extends NotificationText {
  cause: Cause;
}

/** Tells everybody of what waits in an organization, each piece once, and has what is to be mailed sent in time. */
export async function tellWaiting(services: Services, orgId: string): Promise<void> {
  let more = true;
  while (more) more = await services.database.withOrg(orgId, (tx) => tellSome(services, tx, orgId));
}

async function tellSome(services: Services, tx: Tx, orgId: string): Promise<boolean> {
  await lockTelling(tx, orgId);
  const rows = await tx.query<{ news: Raised }>({
    name: 'notifications.take',
    text: `with taken as (
             delete from notification_pending p where p.org_id = $1 and p.id in (
               select id from notification_pending where org_id = $1 order by id limit ${batch})
             returning p.id, p.news)
           select news from taken order by id`,
    values: [orgId],
  });
  if (rows.length === 0 || (await isArchived(tx, orgId))) return rows.length === batch;
  const raised = rows.map(({ news }) => news);
  const accounts = await accountsIn(tx, raised);
  const merged = mergeOf(raised, accounts);
  const providers = await providersOf(tx, orgId, merged);
  for (const one of merged)
    await queueOutgoingEvent(services.jobs, tx, orgId, outgoingOf(one, services.config.PUBLIC_URL));
  if (!(await services.flags.isOn('notificationSystem', { accountId: orgId, orgId, isKey: true }))) {
    return rows.length === batch;
  }
  const at = new Date();
  const told = await tx.query<{ account_id: string; id: string; instant: boolean }>({
    name: '',
    text: tellSql,
    values: [
      orgId,
      JSON.stringify(merged.map((one, place) => rowOf(one, place, at, { accounts, providers }))),
      builtIn,
      at,
    ],
  });
  if (told.some(({ instant }) => instant)) await queueDigests(services, tx, orgId, new Date(at.getTime() + 61_000));
  const items = await itemsOf(tx, orgId, latestOf(told));
  tx.afterCommit(() => {
    for (const { accountId, item } of items) services.realtime.tellMember(orgId, accountId, 'newNotification', item);
  });
  return rows.length === batch;
}

/** Notifications of one batch that a person's sockets are sent; whoever asks again finds all. */
const maxSent = 5;

/** Of what each person was told, the latest few. Ids stand in the order of their times. */
const latestOf = (told: readonly { account_id: string; id: string }[]) =>
  [...Map.groupBy(told, ({ account_id }) => account_id).values()].flatMap((own) =>
    own.toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(-maxSent),
  );

/** Has the mails of an organization looked at, once this commits. */
export const queueDigests = ({ jobs }: Services, tx: Tx, orgId: string, startAfter?: Date): Promise<void> =>
  jobs.enqueue(tx, 'notifications.send', { orgId }, { key: orgId, ...(startAfter && { startAfter }) });

/** Pieces about the same by the same are one, in the words of the latest. */
function mergeOf(raised: readonly Raised[], accounts: ReadonlyMap<string, NotifiedAccount>): PersonalNotification[] {
  const nameOf = (id: string) => accounts.get(id)?.name ?? 'Unknown person';
  const merged = new Map<string, PersonalNotification>();
  for (const { cause, ...news } of raised) {
    const told = wordsOf(news as News, nameOf);
    const key = JSON.stringify([told.scope, cause, told.authors, told.assigned, told.type]);
    const before = merged.get(key);
    merged.delete(key);
    merged.set(key, {
      ...told,
      cause,
      count: told.count + (before?.count ?? 0),
      events: [...(before?.events ?? []), ...told.events].slice(-MAX_NOTIFICATION_EVENTS),
      tally: told.tally && (told.tally.map((count, place) => count + (before?.tally?.[place] ?? 0)) as never),
    });
  }
  // What takes turns, such as failing and recovering, is told as it is now.
  const last = new Map([...merged.values()].map(({ scope, type }) => [scope, type]));
  return [...merged.values()].filter(({ scope, type }) => last.get(scope) === type);
}

interface NotifiedAccount {
  id: string;
  name: string;
  picture: string | null;
}

/** The accounts that did something, or that it was done to, as people call them. */
async function accountsIn(tx: Tx, raised: readonly Raised[]): Promise<Map<string, NotifiedAccount>> {
  const ids = raised.flatMap(({ cause, ...news }) => [
    ...(cause && 'account' in cause ? [cause.account] : []),
    ...('accountId' in news ? [news.accountId] : []),
  ]);
  const rows = await tx.query<NotifiedAccount>({
    name: 'notifications.accounts',
    text: 'select id, name, picture from account where id = any($1::uuid[])',
    values: [[...new Set(ids)]],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** The code hosts of the repositories that something is told of. */
async function providersOf(tx: Tx, orgId: string, told: readonly NotificationText[]): Promise<Map<string, Provider>> {
  const ids = [...new Set(told.flatMap(({ repositoryId }) => repositoryId ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{ id: string; provider: Provider }>({
    name: 'notifications.providers',
    text: 'select id, provider from repository where org_id = $1 and id = any($2::uuid[])',
    values: [orgId, ids],
  });
  return new Map(rows.map(({ id, provider }) => [id, provider]));
}

/** How far a role hears of this: as far as the right reaches, and no further than it sees the repository's code host. */
function hears(role: RoleId, { type, repositoryId }: NotificationText, providers: ReadonlyMap<string, Provider>) {
  const { audience } = notificationTypeDefinition(type);
  if (audience === null) return undefined;
  const provider = repositoryId === null ? undefined : providers.get(repositoryId);
  const reaches = [
    permissionScopeOf(role, audience),
    ...(provider ? [permissionScopeOf(role, repositoryPermissions[provider])] : []),
  ];
  if (reaches.includes(undefined)) return undefined;
  return reaches.includes('own') ? 'own' : 'all';
}

interface NamesById {
  accounts: ReadonlyMap<string, NotifiedAccount>;
  providers: ReadonlyMap<string, Provider>;
}

function rowOf({ cause, ...told }: PersonalNotification, place: number, at: Date, { accounts, providers }: NamesById) {
  const { weighed } = notificationTypeDefinition(told.type);
  const roles = (reach: 'all' | 'own') => roleIds.filter((role) => hears(role, told, providers) === reach);
  const account = cause && 'account' in cause ? cause.account : null;
  const integration = cause && 'integration' in cause ? { id: null, name: cause.integration, picture: null } : null;
  return {
    ...told,
    n: place,
    // Told at the same time, the later piece is still the later one in a list.
    id: newId(at.getTime() + place),
    weighed: weighed === true,
    actor: account === null ? integration : (accounts.get(account) ?? null),
    actor_account: account,
    audience_all: roles('all'),
    audience_own: roles('own'),
    repository: told.repositoryId,
  };
}

/** The same for the organization's own addresses, once for all people. */
const outgoingOf = (
  { type, title, titles, body, link, subject, severity, count, tally }: PersonalNotification,
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
    ...(tally && { severities: Object.fromEntries(severityNames.map((name, place) => [name, tally[place] ?? 0])) }),
  },
});
