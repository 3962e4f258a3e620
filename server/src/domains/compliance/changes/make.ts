import type { Services } from '#core/services.ts';
import { keepSnapshot, readProtection } from '../../sources/protection/commands.ts';
import { maybeProtectionAt } from '../../sources/protection/queries.ts';
import { attributedIn } from './attribution/read.ts';
import { keepAttributions } from './attribution/save.ts';
import { makePush } from './direct.ts';
import type { Due } from './due.ts';
import { gather } from './gather.ts';
import { headOf, maybeHeadPusher } from './heads.ts';
import { answerOf, missing, tell } from './host-answer.ts';
import { partsOfMerge } from './merges.ts';
import type { ChangeOutcome } from './outcome.ts';
import { addVersion } from './records.ts';
import { heardOf } from './reviews.ts';
import { isRecorded, maybePlace, type RecordedRepository } from './scope.ts';
import { maybeMerged } from './stored.ts';

// Current branch protection is no evidence for older merges.
const FRESH_MERGE_MS = 15 * 60 * 1000;

/** Builds the record of a change, or its next version. Throws HostLimited. */
export async function makeChange(services: Services, orgId: string, due: Due): Promise<ChangeOutcome> {
  const place = await maybePlace(services, orgId, due.repositoryId);
  if (!place) return undefined;
  if ('pushId' in due.of) return makePush(services, place, due, due.of.pushId);
  return makeMerge(services, place, due, due.of.number);
}

async function makeMerge(
  services: Services,
  place: RecordedRepository,
  due: Due,
  number: number,
): Promise<ChangeOutcome> {
  const { orgId, repositoryId, ref, host, provider, defaultBranch } = place;
  const row = await services.database.withOrg(orgId, async (tx) => {
    const merged = await maybeMerged(tx, orgId, repositoryId, number);
    return merged && (await isRecorded(tx, orgId, merged.baseRef, defaultBranch)) ? merged : undefined;
  });
  if (!row?.mergedAt) return undefined;
  const { baseRef: branch, authorPerson, mergedAt } = row;
  const isFresh = Date.now() - Date.parse(mergedAt) < FRESH_MERGE_MS;
  const protectionRequest =
    isFresh && host ? tell(() => readProtection(host, { ref, repositoryId, branch, trigger: 'merge' })) : undefined;
  const [found, snapshot] = await Promise.all([gather(host, ref, number, row), protectionRequest]);
  const pullRequest = { ...row, ...answerOf(found.pullRequest)?.pullRequest, mergedAt };
  return services.database.withOrg(orgId, async (tx) => {
    const taken = snapshot && answerOf(snapshot);
    if (taken) await keepSnapshot(tx, orgId, taken, provider);
    const protection = await maybeProtectionAt(tx, orgId, { repositoryId, branch, at: mergedAt });
    const checks = protection?.rules.requiredChecks ?? missing;
    const unread = snapshot && 'reason' in snapshot ? snapshot.reason : 'not_requested';
    const reason = checks.state === 'complete' ? null : protection ? 'permission' : unread;
    const fetchedAt = protection?.capturedAt ?? new Date().toISOString();
    const parts = await partsOfMerge(services, tx, orgId, {
      provider,
      found,
      pullRequest,
      recorded: {
        heard: await heardOf(tx, orgId, repositoryId, number),
        headPusher: await maybeHeadPusher(tx, orgId, repositoryId, headOf(pullRequest)),
        requiredChecks: { known: checks, source: { state: checks.state, fetchedAt, reason } },
      },
    });
    const commits = answerOf(found.commits)?.items ?? [];
    const agents = attributedIn(commits, found.sayings);
    await keepAttributions(services, tx, { place, of: { changeId: due.id, number }, commits, found: agents });
    const sources = await addVersion(services, tx, place, {
      id: due.id,
      branch,
      number,
      pushId: null,
      mergedAt,
      cause: due.cause,
      parts,
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

/** Whether a check is still running. */
const isOpen = (checks: Awaited<ReturnType<typeof gather>>['checks']): boolean =>
  answerOf(checks)?.some(({ conclusion }) => conclusion === null) ?? false;
