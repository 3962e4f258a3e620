import { severities } from '@sightline/contract/core/severities.ts';
import { CHAT_POSTS_PER_MINUTE, type ChatServiceName } from '@sightline/contract/delivery/chat.ts';
import { notificationTypeDefinition, notificationTypeNames } from '@sightline/contract/delivery/notification-types.ts';
import { newId } from '#core/ids.ts';
import type { JobData } from '#core/jobs.ts';
import { linkTo } from '#core/organization-link.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { ChatAddress, ChatContent, ChatNotification, ChatPost } from '#providers/chat/chat.ts';
import { openSecrets } from '../destinations/queries.ts';
import { queueSending } from './commands.ts';
import { workspaceSecret } from './secrets.ts';
import { chatChannels } from './target-type.ts';

export type ChatJob = JobData['chat.send'];

/** More due messages than this become one digest. */
const MAX_SINGLE_MESSAGES = 10;
/** Messages in one digest; only their number and the worst are sent. */
const MAX_IN_DIGEST = 20_000;
const MAX_LISTED = 5;
/** After this time another process repeats an attempt under the same ID, because this one must have ended. */
const LEASE = `interval '1 minute'`;

export interface LeasedPost {
  service: ChatServiceName;
  address: ChatAddress;
  post: ChatPost;
  /** What the thread of the post is about; null without one, as of digests. */
  subject: string | null;
  /** An earlier attempt may have arrived: the same messages are sent under the same ID until the result is known. */
  isRepeated: boolean;
}

interface TargetRow {
  service: ChatServiceName;
  address: string | null;
  token_sealed: Buffer | null;
  organization: string;
  /** The posts of the current minute, and its end. */
  posts: number;
  window_ends: Date;
}

/** Leases the next post of a channel or person; undefined if nothing is due, or if it may not be sent to now. */
export async function leasePost(services: Services, tx: Tx, job: ChatJob): Promise<LeasedPost | undefined> {
  const { orgId, targetId } = job;
  const [target] = await tx.query<TargetRow>({ name: 'chat.target', text: targetSql, values: [orgId, targetId] });
  if (!target) return undefined;
  const repeated = await unclearPost(tx, job);
  const postId = repeated ?? (await choosePost(services, tx, job, target));
  if (postId === undefined) return undefined;
  await tx.query({
    name: 'chat.lease',
    text: `update chat_target set resumes_at = now() + ${LEASE} where org_id = $1 and id = $2`,
    values: [orgId, targetId],
  });
  const { content, subject } = await contentOf(services, tx, orgId, postId);
  return {
    service: target.service,
    address: await addressOf(services, tx, job, target),
    post: {
      id: postId,
      organization: target.organization,
      content,
      thread: subject === null ? null : await threadOf(tx, job, subject),
    },
    subject,
    isRepeated: repeated !== undefined,
  };
}

// Former members and archived organizations receive nothing, and a workspace without a valid token cannot.
const targetSql = `
  select t.service, t.address, w.token_sealed, o.display_name as organization,
    case when t.window_at < now() - interval '1 minute' then 0 else t.window_posts end as posts,
    t.window_at + interval '1 minute' as window_ends
  from chat_target t join organization o on o.id = t.org_id
  left join chat_workspace w on w.org_id = $1 and w.service = t.service and w.problem is null
  where t.org_id = $1 and t.id = $2 and t.enabled and t.resumes_at <= now() and o.archived_at is null
    and (t.service <> 'slack' or w.org_id is not null)
    and (t.account_id is null or exists (
      select from member m where m.org_id = $1 and m.account_id = t.account_id and m.status <> 'deactivated'))
  for update of t skip locked`;

/** A post whose result is unknown. It is repeated with the same messages. */
async function unclearPost(tx: Tx, { orgId, targetId }: ChatJob): Promise<string | undefined> {
  const [row] = await tx.query<{ post_id: string }>({
    name: 'chat.unclear',
    text: `select post_id from chat_message where org_id = $1 and target_id = $2 and status = 'pending' and post_id is not null
           limit 1`,
    values: [orgId, targetId],
  });
  return row?.post_id;
}

/** Marks the messages of the next post: the oldest due message, or all of them if there are many. */
async function choosePost(
  services: Services,
  tx: Tx,
  { orgId, targetId }: ChatJob,
  { posts, window_ends: windowEnds }: TargetRow,
): Promise<string | undefined> {
  const [due] = await tx.query<{ count: number }>({
    name: 'chat.due',
    text: `select count(*)::int as count from (
             select from chat_message where org_id = $1 and target_id = $2 and status = 'pending' and due_at <= now()
             limit ${MAX_SINGLE_MESSAGES + 1}) d`,
    values: [orgId, targetId],
  });
  const count = due?.count ?? 0;
  if (count === 0) return undefined;
  if (posts >= CHAT_POSTS_PER_MINUTE) {
    await queueSending(services.jobs, tx, { orgId, targetId }, windowEnds);
    return undefined;
  }
  const isDigest = count > MAX_SINGLE_MESSAGES;
  const postId = newId();
  await tx.query({
    name: 'chat.choose',
    text: `with chosen as (
             select id from chat_message where org_id = $1 and target_id = $2 and status = 'pending' and due_at <= now()
             order by due_at, id limit $4)
           update chat_message m set post_id = $3, digest = $5 from chosen where m.org_id = $1 and m.id = chosen.id`,
    values: [orgId, targetId, postId, isDigest ? MAX_IN_DIGEST : 1, isDigest],
  });
  // A digest ends the minute, so that what follows it is collected for the next one.
  await tx.query({
    name: 'chat.window',
    text: `update chat_target set window_posts = $3,
             window_at = case when $4 then now() else window_at end where org_id = $1 and id = $2`,
    values: [orgId, targetId, isDigest ? CHAT_POSTS_PER_MINUTE : posts + 1, isDigest || posts === 0],
  });
  return postId;
}

interface MessageRow {
  type: string;
  severity: number;
  title: string;
  body: string;
  link: string;
  subject: string | null;
  digest: boolean;
}

async function contentOf(
  { config }: Services,
  tx: Tx,
  orgId: string,
  postId: string,
): Promise<{ content: ChatContent; subject: string | null }> {
  const counts = await tx.query<{ type: string; count: number }>({
    name: 'chat.counts',
    text: `select type, count(*)::int as count from chat_message where org_id = $1 and post_id = $2 and status = 'pending'
           group by type order by count(*) desc, type`,
    values: [orgId, postId],
  });
  const worst = await tx.query<MessageRow>({
    name: 'chat.worst',
    text: `select type, severity, title, body, link, subject, digest from chat_message
           where org_id = $1 and post_id = $2 and status = 'pending' order by severity, due_at, id limit ${MAX_LISTED}`,
    values: [orgId, postId],
  });
  const [first] = worst;
  if (!first) throw new Error(`The post ${postId} has no messages`);
  const shown = worst.map((row) => notificationOf(row, config.PUBLIC_URL, orgId));
  const [notification] = shown;
  if (!first.digest && notification) return { content: { notification }, subject: first.subject };
  const digest = {
    total: counts.reduce((sum, { count }) => sum + count, 0),
    counts: counts.map(({ type, count }) => ({ label: labelOf(type), count })),
    worst: shown,
    link: linkTo(config.PUBLIC_URL, '/notifications', orgId),
  };
  return { content: { digest }, subject: null };
}

const notificationOf = (row: MessageRow, url: string, orgId: string): ChatNotification => ({
  title: row.title,
  body: row.body,
  severity: severities[row.severity] ?? 'info',
  label: labelOf(row.type),
  link: linkTo(url, row.link, orgId),
});

/** The label of a type; its name for one of a later version. */
function labelOf(type: string): string {
  const known = notificationTypeNames.find((name) => name === type);
  return known === undefined ? type : notificationTypeDefinition(known).label;
}

async function threadOf(tx: Tx, { orgId, targetId }: ChatJob, subject: string): Promise<string | null> {
  const [row] = await tx.query<{ thread: string }>({
    name: 'chat.thread',
    text: 'select thread from chat_thread where org_id = $1 and target_id = $2 and subject = $3',
    values: [orgId, targetId, subject],
  });
  return row?.thread ?? null;
}

async function addressOf(
  services: Services,
  tx: Tx,
  { orgId, targetId }: ChatJob,
  { address, token_sealed: sealed }: Pick<TargetRow, 'address' | 'token_sealed'>,
): Promise<ChatAddress> {
  if (address !== null && sealed !== null) {
    return { to: address, token: services.secrets.open(workspaceSecret(orgId, 'token'), sealed).toString() };
  }
  const [url] = await openSecrets(services, tx, chatChannels, { orgId, id: targetId });
  if (url === undefined) throw new Error('A chat channel has no address');
  return { to: url, token: '' };
}
