import { CHAT_RETRY_DELAYS_SECONDS } from '@sightline/contract/delivery/chat.ts';
import { AUTO_DISABLE_DAYS } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { retryDelaySeconds, secondsFromNow } from '#core/retry-delay.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { ChatFailure, ChatResult } from '#providers/chat/chat.ts';
import { raiseNotifications } from '../notifications/commands.ts';
import { queueSending } from './commands.ts';
import type { ChatJob, LeasedPost } from './lease.ts';
import { recordRejection } from './rejection.ts';
import { announceChat, clockActor } from './target-type.ts';

/** The longest time that a service can ask to wait, in seconds. */
const MAX_WAIT_SECONDS = 3_600;
/** The wait for a limit without a time, in seconds. */
const DEFAULT_WAIT_SECONDS = 30;

/** Records the result of a post. Returns whether the next post can be sent now. */
export function recordResult(
  services: Services,
  job: ChatJob,
  leased: LeasedPost,
  result: ChatResult,
): Promise<boolean> {
  return services.database.withOrg(job.orgId, async (tx) => {
    tx.afterCommit(() => announceChat(services, job.orgId));
    if (!('failure' in result)) return recordSuccess(tx, job, leased, result.thread);
    return recordFailure(services, tx, job, { leased, failure: result.failure });
  });
}

async function recordSuccess(
  tx: Tx,
  { orgId, targetId }: ChatJob,
  { post, subject }: LeasedPost,
  thread: string | null,
): Promise<boolean> {
  await tx.query({
    name: 'chat.delivered',
    text: `update chat_message set status = 'delivered', delivered_at = now(), failure = null
           where org_id = $1 and target_id = $2 and post_id = $3 and status = 'pending'`,
    values: [orgId, targetId, post.id],
  });
  if (thread !== null && subject !== null) {
    await tx.query({
      name: 'chat.thread-start',
      text: `insert into chat_thread (org_id, target_id, subject, thread)
             select $1, id, $3, $4 from chat_target where org_id = $1 and id = $2 on conflict do nothing`,
      values: [orgId, targetId, subject, thread],
    });
  }
  await setHealthy(tx, { orgId, targetId });
  return true;
}

/** After a message arrived, the channel works. */
export const setHealthy = (tx: Tx, { orgId, targetId }: ChatJob): Promise<unknown> =>
  tx.query({
    name: 'chat.healthy',
    text: `update chat_target set failing_since = null, failures = 0, problem = null, limited = false,
             last_delivered_at = now(), resumes_at = now() where org_id = $1 and id = $2`,
    values: [orgId, targetId],
  });

interface FailedPost {
  leased: LeasedPost;
  failure: ChatFailure;
}

async function recordFailure(services: Services, tx: Tx, job: ChatJob, failed: FailedPost): Promise<boolean> {
  const { failure, leased } = failed;
  // The result is known: the messages may be sent in another post, such as a digest.
  if (!failure.isUnclear && !leased.isRepeated && failure.of !== 'post') await releaseMessages(tx, job, leased.post.id);
  switch (failure.of) {
    case 'post':
      return failMessages(services, tx, job, failed);
    case 'thread':
      await tx.query({
        name: 'chat.thread-end',
        text: 'delete from chat_thread where org_id = $1 and target_id = $2 and subject = $3',
        values: [job.orgId, job.targetId, leased.subject],
      });
      await resumeAt(tx, job, new Date());
      return true;
    case 'limit': {
      const seconds = Math.min(failure.retryAfterSeconds || DEFAULT_WAIT_SECONDS, MAX_WAIT_SECONDS);
      await tx.query({
        name: 'chat.limited',
        text: `update chat_target set limited = true, problem = $3 where org_id = $1 and id = $2`,
        values: [job.orgId, job.targetId, failure.message],
      });
      return continueAt(services, tx, job, secondsFromNow(seconds));
    }
    case 'workspace':
      await recordRejection(services, tx, job.orgId, { reason: failure.message });
      await resumeAt(tx, job, new Date());
      return false;
    case 'target':
    case 'gone':
      return recordTargetFailure(services, tx, job, failure);
  }
}

/** Makes the messages of a post available to another one. */
const releaseMessages = (tx: Tx, { orgId, targetId }: ChatJob, postId: string) =>
  tx.query({
    name: 'chat.release',
    text: `update chat_message set post_id = null, digest = false
           where org_id = $1 and target_id = $2 and post_id = $3 and status = 'pending'`,
    values: [orgId, targetId, postId],
  });

const resumeAt = (tx: Tx, { orgId, targetId }: ChatJob, at: Date) =>
  tx.query({
    name: 'chat.resume-at',
    text: 'update chat_target set resumes_at = $3 where org_id = $1 and id = $2',
    values: [orgId, targetId, at],
  });

async function continueAt({ jobs }: Services, tx: Tx, job: ChatJob, at: Date): Promise<false> {
  await resumeAt(tx, job, at);
  await queueSending(jobs, tx, job, at);
  return false;
}

/** A message that the service never accepts. It does not delay the others. */
async function failMessages(services: Services, tx: Tx, job: ChatJob, { failure, leased }: FailedPost): Promise<true> {
  const { orgId, targetId } = job;
  const [message] = await tx.query<{ id: string; name: string; account_id: string | null; type: string }>({
    name: 'chat.failed',
    text: `with failed as (
             update chat_message set status = 'failed', failure = $3
             where org_id = $1 and target_id = $2 and post_id = $4 and status = 'pending' returning id, type)
           select f.id, f.type, t.name, t.account_id from failed f join chat_target t on t.org_id = $1 and t.id = $2
           order by f.id limit 1`,
    values: [orgId, targetId, failure.message, leased.post.id],
  });
  await resumeAt(tx, job, new Date());
  // A failed notification of a failure would cause the next one.
  if (message && message.account_id === null && message.type !== 'delivery.failed') {
    const to = { kind: 'chat_channel', id: targetId, name: message.name } as const;
    await raiseNotifications(services, tx, orgId, {
      actor: clockActor,
      notifications: [{ type: 'delivery.failed', to, deliveryId: message.id, because: failure.message }],
    });
  }
  return true;
}

async function recordTargetFailure(services: Services, tx: Tx, job: ChatJob, failure: ChatFailure): Promise<false> {
  const { orgId, targetId } = job;
  const isGone = failure.of === 'gone';
  const [target] = await tx.query<{ failures: number; name: string; account_id: string | null; disable: boolean }>({
    name: 'chat.failing',
    text: `update chat_target set failures = failures + 1, failing_since = coalesce(failing_since, now()), problem = $3,
             limited = false
           where org_id = $1 and id = $2
           returning failures, name, account_id,
             $4 or coalesce(failing_since < now() - make_interval(days => ${AUTO_DISABLE_DAYS}), false) as disable`,
    values: [orgId, targetId, failure.message, isGone],
  });
  // Removed during the attempt.
  if (!target) return false;
  const { retryAfterSeconds } = failure;
  const delay =
    retryDelaySeconds(CHAT_RETRY_DELAYS_SECONDS, target.failures, { retryAfterSeconds, repeatsLast: true }) ?? 0;
  await continueAt(services, tx, job, secondsFromNow(delay));
  if (target.disable) await disable(services, tx, job, { ...target, reason: failure.message });
  return false;
}

async function disable(
  services: Services,
  tx: Tx,
  { orgId, targetId }: ChatJob,
  { name, account_id: accountId, reason }: { name: string; account_id: string | null; reason: string },
): Promise<void> {
  await tx.query({
    name: 'chat.disable',
    text: `update chat_target set enabled = false, auto_disabled_at = now() where org_id = $1 and id = $2`,
    values: [orgId, targetId],
  });
  // The settings of the person show it.
  if (accountId !== null) return;
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor: clockActor,
    entry: {
      action: 'chat_channel.auto_disabled',
      subject: { kind: 'chat_channel', id: targetId },
      data: { channel: name, reason },
    },
  });
  await raiseNotifications(services, tx, orgId, {
    actor: clockActor,
    notifications: [{ type: 'chat.disabled', channel: { id: targetId, name }, because: reason }],
  });
}
