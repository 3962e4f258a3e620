import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostPullRequest } from '../../../providers/host-facts.ts';
import { readProtection, storeProtectionSnapshot } from '../../sources/protection/commands.ts';
import { maybeProtectionAt } from '../../sources/protection/queries.ts';
import { readAttributions } from './attribution/read.ts';
import { saveAttributions } from './attribution/save.ts';
import { type DueChange, queueChange } from './change-queue.ts';
import { protectedPatternsOf, saveChangedPaths } from './changed-files.ts';
import { saveCommitKeys } from './commit-keys.ts';
import { recordDirectPush } from './direct-pushes.ts';
import { fetchPullRequestData } from './fetch-pull-request-data.ts';
import { answerOf, missing, partOf, requestFromHost } from './host-answer.ts';
import { type MergedCommit, mergedCommitOf, readUnreviewedFiles, unnamedMergeCommitOf } from './merge-content.ts';
import { mergeParts, type SourcedParts } from './merges.ts';
import type { ChangeOutcome } from './outcome.ts';
import { headPushesOf, pullRequestHead } from './pull-request-heads.ts';
import { activityOfCommit, lockBranch, pushesOfPullRequest } from './push-store.ts';
import { agentsPart } from './reconciliation/part.ts';
import { addChangeVersion } from './records.ts';
import { storedReviewsOf } from './reviews.ts';
import { hostActivityFrom, reportsActivity } from './rows.ts';
import { findRecordedRepository, isRecordedBranch, type RecordedRepository } from './scope.ts';
import { findMergedPullRequest } from './stored-facts.ts';
import { readTickets } from './tickets.ts';

// Current branch protection is no evidence for older merges.
const FRESH_MERGE_MS = 15 * 60 * 1000;

/** Builds the record of a change, or its next version, for `processDueChanges`. Throws HostLimited. */
export async function buildChangeRecord(services: Services, orgId: string, due: DueChange): Promise<ChangeOutcome> {
  const place = await findRecordedRepository(services, orgId, due.repositoryId);
  if (!place) return undefined;
  if ('pushId' in due.of) return recordDirectPush(services, place, due, due.of.pushId);
  return makeMerge(services, place, due, due.of.number);
}

async function makeMerge(
  services: Services,
  place: RecordedRepository,
  due: DueChange,
  number: number,
): Promise<ChangeOutcome> {
  const { orgId, repositoryId, ref, host, provider, defaultBranch } = place;
  const row = await services.database.withOrg(orgId, async (tx) => {
    const merged = await findMergedPullRequest(tx, orgId, repositoryId, number);
    return merged && (await isRecordedBranch(tx, orgId, merged.baseRef, defaultBranch)) ? merged : undefined;
  });
  if (!row?.mergedAt) return undefined;
  const { baseRef: branch, authorPerson, mergedAt } = row;
  const isFresh = Date.now() - Date.parse(mergedAt) < FRESH_MERGE_MS;
  const protectionRequest =
    isFresh && host
      ? requestFromHost(() => readProtection(host, { ref, repositoryId, branch, trigger: 'merge' }))
      : undefined;
  const [found, snapshot] = await Promise.all([fetchPullRequestData(host, ref, number, row), protectionRequest]);
  const pullRequest = { ...row, ...answerOf(found.pullRequest)?.pullRequest, mergedAt };
  const merged = await services.database.withOrg(orgId, (tx) => readMergedCommit(tx, place, pullRequest));
  const unreviewedFiles = await readUnreviewedFiles(host, ref, { ...pullRequest, ...merged });
  const tickets = await readTickets(services, orgId, pullRequest, { commits: found.commits, mergedAt });
  const hostActivity = await readHostActivity(services, place, { ...pullRequest, isFresh });
  const isPushUnread = unreviewedFiles.known.state === 'missing' && !merged.push;
  const isUnnamed = hostActivity.known.state === 'missing';
  const isIncomplete = isPushUnread || isUnnamed;
  const head = pullRequestHead(pullRequest);
  const lockedBranches = [pushesOfPullRequest(number), isIncomplete ? branch : null, head.branch].filter(
    (name) => name !== null,
  );
  return services.database.withOrg(orgId, async (tx) => {
    // A push that is stored while the record is built waits, and then finds the record.
    await lockBranch(tx, repositoryId, ...lockedBranches);
    if (isIncomplete) await queueIfPushed(services, tx, place, { ...pullRequest, isPushUnread, isUnnamed });
    const taken = snapshot && answerOf(snapshot);
    if (taken) await storeProtectionSnapshot(tx, orgId, taken, provider);
    const protection = await maybeProtectionAt(tx, orgId, { repositoryId, branch, at: mergedAt });
    const checks = protection?.rules.requiredChecks ?? missing;
    const unread = snapshot && 'reason' in snapshot ? snapshot.reason : 'not_requested';
    const reason = checks.state === 'complete' ? null : protection ? 'permission' : unread;
    const fetchedAt = protection?.capturedAt ?? new Date().toISOString();
    const parts = await mergeParts(services, tx, orgId, {
      provider,
      found,
      pullRequest,
      recorded: {
        storedReviews: await storedReviewsOf(tx, orgId, repositoryId, number),
        headPushes: await headPushesOf(tx, orgId, repositoryId, head),
        unreviewedFiles,
        hostActivity,
        tickets,
        protectedPatterns: await protectedPatternsOf(tx, orgId, repositoryId),
        requiredChecks: { known: checks, source: { state: checks.state, fetchedAt, reason } },
      },
    });
    await saveChangedPaths(tx, orgId, due.id, found.changed);
    const commits = answerOf(found.commits)?.items ?? [];
    await saveCommitKeys(services, tx, place, commits);
    const agents = readAttributions(commits, found.sayings);
    await saveAttributions(services, tx, { place, of: { changeId: due.id, number }, commits, found: agents });
    const observed = await agentsPart(services, tx, place, {
      changeId: due.id,
      branch: pullRequest.headRef,
      mergedAt,
      createdAt: pullRequest.createdAt,
      mergeSha: pullRequest.mergeSha,
      commits,
      attributed: agents.attributed,
      parts,
    });
    const sources = await addChangeVersion(services, tx, place, {
      id: due.id,
      branch,
      number,
      pushId: null,
      mergedAt,
      cause: due.cause,
      parts: { ...parts, agents: observed },
      mergeMethod: answerOf(found.timeline)?.isQueued ? 'merge_queue' : 'pull_request',
      mergeSha: pullRequest.mergeSha,
      headSha: pullRequest.headSha || null,
      protectionId: protection?.id ?? null,
      author: authorPerson,
      title: pullRequest.title,
    });
    return { sources, mergedAt, isUnsure: isOpen(found.checks), isDirect: false };
  });
}

/** Reads the commit whose content is compared with the reviewed one. */
const readMergedCommit = (
  tx: Tx,
  { orgId, repositoryId, host }: RecordedRepository,
  merged: Pick<HostPullRequest, 'mergeSha' | 'headSha' | 'baseRef'> & { mergedAt: string },
): Promise<Partial<Pick<MergedCommit, 'mergeSha'>> & Pick<MergedCommit, 'parents' | 'push'>> =>
  host?.evidence?.namesMergeCommits === false && merged.mergeSha === merged.headSha
    ? unnamedMergeCommitOf(tx, orgId, repositoryId, merged)
    : mergedCommitOf(tx, orgId, repositoryId, merged);

/**
 * What the activity list of the host names the push of the merged commit: from the stored push, or for a fresh merge from
 * the first page of the list. Throws HostLimited.
 */
async function readHostActivity(
  { database }: Services,
  { orgId, repositoryId, provider, host, ref }: RecordedRepository,
  merged: Pick<HostPullRequest, 'mergeSha' | 'baseRef'> & { mergedAt: string; isFresh: boolean },
): Promise<SourcedParts['hostActivity']> {
  const { mergeSha, baseRef, mergedAt, isFresh } = merged;
  const stored = await database.withOrg(orgId, (tx) => activityOfCommit(tx, orgId, repositoryId, merged));
  const at = new Date().toISOString();
  const list = host?.evidence?.listPushes;
  if (stored !== null || !isFresh || !list || !reportsActivity(provider)) {
    return partOf({ value: null, at }, hostActivityFrom(provider, stored), 'not_requested');
  }
  const since = new Date(Date.parse(mergedAt) - FRESH_MERGE_MS).toISOString();
  const listed = await requestFromHost(() => list(ref, baseRef, since));
  const activity = answerOf(listed)?.items.find(({ after }) => after === mergeSha)?.activity ?? null;
  return partOf(listed, hostActivityFrom(provider, activity), 'not_requested');
}

/**
 * Queues the record again if the push of its merged commit, or its activity, was stored while it was built: that push
 * found no record to queue. The branch is locked.
 */
async function queueIfPushed(
  services: Services,
  tx: Tx,
  place: RecordedRepository,
  merged: Pick<HostPullRequest, 'number' | 'mergeSha' | 'headSha' | 'baseRef'> & {
    mergedAt: string;
    isPushUnread: boolean;
    isUnnamed: boolean;
  },
): Promise<void> {
  const { orgId, repositoryId } = place;
  const { push } = await readMergedCommit(tx, place, merged);
  const isNamed = merged.isUnnamed && (await activityOfCommit(tx, orgId, repositoryId, merged)) !== null;
  if (!(merged.isPushUnread && push) && !isNamed) return;
  await queueChange(services, tx, orgId, { repositoryId, change: { number: merged.number }, cause: 'push' });
}

/** Whether a check is still running. */
const isOpen = (checks: Awaited<ReturnType<typeof fetchPullRequestData>>['checks']): boolean =>
  answerOf(checks)?.some(({ conclusion }) => conclusion === null) ?? false;
