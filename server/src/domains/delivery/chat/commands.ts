import type { NotificationType } from '@sightline/contract/delivery/notification-types.ts';
import { NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Jobs } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import type { Publication } from '#core/topics.ts';
import type { Tx } from '#database/database.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'chat.send': { orgId: string; targetId: string };
  }
}

/** A notification to queue. */
export interface ChatItem {
  type: NotificationType;
  /** Index of its severity. */
  severity: number;
  title: string;
  titles: string;
  body: string;
  link: string;
  thread: string | null;
  subject: { kind: string; ident: string };
  repositoryId: string | null;
  count: number;
  tally: readonly number[] | null;
  /** Each occurrence has its own severity, counted in `tally`. */
  weighed: boolean;
}

/** How items with a count become text. */
export interface ChatItemText {
  titleOf: (item: Pick<ChatItem, 'title' | 'titles' | 'count'>) => string;
  noteOf: (item: Pick<ChatItem, 'body'> & { tally: readonly number[] | null }) => string;
}

/** An item for one channel or person, to send at `due` or later. */
export interface TargetedItem {
  targetId: string;
  item: Omit<ChatItem, 'repositoryId' | 'weighed' | 'subject'>;
  due: Date;
}

interface ChannelChoice {
  id: string;
  service: string;
  types: string[] | null;
  min_severity: number;
  repositories: string[] | null;
}

/** The items for every channel that an owner chose, in the transaction of the notifications. */
export async function itemsForChannels(
  tx: Tx,
  orgId: string,
  items: readonly ChatItem[],
  at: Date,
): Promise<TargetedItem[]> {
  const channels = await tx.query<ChannelChoice>({
    name: 'chat.channels',
    text: `select id, service, types, min_severity, repositories from chat_target
           where org_id = $1 and account_id is null and enabled`,
    values: [orgId],
  });
  return channels.flatMap((channel) =>
    items.flatMap((item) => {
      const chosen = itemFor(channel, item);
      return chosen ? [{ targetId: channel.id, item: chosen, due: at }] : [];
    }),
  );
}

/** The part of an item that a channel receives; undefined if none. */
function itemFor(channel: ChannelChoice, item: ChatItem): ChatItem | undefined {
  const { types, min_severity: least, repositories } = channel;
  if (isAboutItself(channel, item)) return undefined;
  const { type, repositoryId, tally, weighed, severity } = item;
  if (types !== null && !types.includes(type)) return undefined;
  if (repositories !== null && (repositoryId === null || !repositories.includes(repositoryId))) return undefined;
  if (!weighed || tally === null) return severity <= least ? item : undefined;
  const counted = tally.map((count, index) => (index <= least ? count : 0));
  const worst = counted.findIndex((count) => count > 0);
  if (worst === -1) return undefined;
  return { ...item, tally: counted, severity: worst, count: counted.reduce((sum, count) => sum + count, 0) };
}

/** A failure of a channel, or of its service, arrives there only after it is over. */
const isAboutItself = ({ id, service }: ChannelChoice, { subject: { kind, ident } }: ChatItem): boolean =>
  (kind === 'integration' && ident === service) || (kind === 'chat_channel' && ident === id);

/** Queues messages once this transaction commits: one row each, and one job for each channel or person. */
export async function queueMessages(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Tx,
  orgId: string,
  { items, text }: { items: readonly TargetedItem[]; text: ChatItemText },
): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map(({ targetId, item, due }) => ({
    id: newId(),
    target_id: targetId,
    type: item.type,
    severity: item.severity,
    title: text.titleOf(item),
    body: text.noteOf(item),
    link: item.link,
    subject: item.thread,
    due_at: due,
  }));
  await tx.query({
    name: 'chat.queue',
    text: `insert into chat_message (org_id, id, target_id, type, severity, title, body, link, subject, due_at)
           select $1, r.* from jsonb_to_recordset($2::jsonb) as r(
             id uuid, target_id uuid, type text, severity smallint, title text, body text, link text, subject text, due_at timestamptz)`,
    values: [orgId, JSON.stringify(rows)],
  });
  for (const [targetId, own] of Map.groupBy(items, (one) => one.targetId)) {
    const first = new Date(Math.min(...own.map(({ due }) => due.getTime())));
    await queueSending(jobs, tx, { orgId, targetId }, first);
  }
}

/** Sends the messages of a failing channel or person now, for an operator. Throws 404 if it is disabled or not failing. */
export async function retryFailingTarget({ services, tx, orgId }: Publication, id: string): Promise<void> {
  const [failing] = await tx.query<{ id: string }>({
    name: 'chat.retry',
    text: `update chat_target set resumes_at = now()
           where org_id = $1 and id::text = $2 and enabled and failing_since is not null returning id`,
    values: [orgId, id],
  });
  if (!failing) throw NotFound('Failing chat channel');
  await queueSending(services.jobs, tx, { orgId, targetId: id });
}

/** Queues the job of a channel or person. Later jobs have another key, so that they do not bring forward this one. */
export const queueSending = (
  jobs: Jobs,
  tx: Tx,
  { orgId, targetId }: { orgId: string; targetId: string },
  startAfter?: Date,
): Promise<void> => {
  const isLater = startAfter !== undefined && startAfter.getTime() > Date.now();
  const key = isLater ? `${targetId} later` : targetId;
  return jobs.enqueue(tx, 'chat.send', { orgId, targetId }, { key, ...(isLater && { startAfter }) });
};
