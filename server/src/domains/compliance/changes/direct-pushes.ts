import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostCommit } from '../../../providers/host-facts.ts';
import { resolveActors } from './actors.ts';
import {
  type AttributionSources,
  agentSharesOf,
  fetchAttributionSources,
  readAttributions,
} from './attribution/read.ts';
import { saveAttributions } from './attribution/save.ts';
import type { DueChange } from './change-queue.ts';
import {
  filePartsOf,
  filesOfCommits,
  protectedPatternsOf,
  readChangedConfiguration,
  saveChangedPaths,
} from './changed-files.ts';
import { saveCommitKeys } from './commit-keys.ts';
import { determineOrigins, type PushRow } from './determine-origins.ts';
import {
  answerOf,
  complete,
  type HostAnswer,
  impliedPart,
  missing,
  missingPart,
  partial,
  partOf,
  requestFromHost,
} from './host-answer.ts';
import { attributionPart, type PartsWithoutAgents, type SourcedParts } from './merges.ts';
import type { ChangeOutcome } from './outcome.ts';
import { distinctActors } from './parts.ts';
import { agentsPart } from './reconciliation/part.ts';
import { deleteWork } from './reconciliation/work.ts';
import { addChangeVersion, latestVersionOf, lockChange } from './records.ts';
import { hostActivityFrom } from './rows.ts';
import type { RecordedRepository } from './scope.ts';
import { actorOf, findPush } from './stored-facts.ts';
import { authorsOf, participantsOf, sessionOwnersOf } from './writers.ts';

// Of a larger push, only the newest commits are read.
const MAX_COMMITS_READ = 250;
const CONCURRENT_REQUESTS = 6;

type Commits = HostAnswer<{ items: HostCommit[]; isWhole: boolean }>;

/**
 * Determines how each commit of a push reached its branch, and records those without a pull request as a direct push.
 * Used by `buildChangeRecord` for a change without a pull request. Throws HostLimited.
 */
export async function recordDirectPush(
  services: Services,
  place: RecordedRepository,
  due: DueChange,
  pushId: string,
): Promise<ChangeOutcome> {
  const { orgId } = place;
  const push = await services.database.withOrg(orgId, (tx) => findPush(tx, orgId, pushId));
  if (!push || push.commits.length === 0) return undefined;
  const { direct, isUnsure } = await determineOrigins(services, place, push);
  const mergedAt = push.pushed_at.toISOString();
  if (direct.length === 0) {
    await services.database.withOrg(orgId, (tx) => reclassify(services, tx, { place, due, push }));
    return { sources: {}, mergedAt, isUnsure, isDirect: false };
  }
  const commits = await readCommits(place, direct);
  const read = answerOf(commits)?.items ?? [];
  const sayings = await fetchAttributionSources(place.host, place.ref, {
    commits: read,
    head: push.after_sha,
    previousHeads: push.forced === 'yes' && push.before_sha !== null ? [push.before_sha] : [],
  });
  const pushed = filesOfCommits(commits);
  const changed = await readChangedConfiguration(place.host, place.ref, push.after_sha ?? '', pushed.files);
  const sources = await services.database.withOrg(orgId, async (tx) => {
    await saveCommitKeys(services, tx, place, read);
    await saveChangedPaths(tx, orgId, due.id, changed);
    const agents = readAttributions(read, sayings);
    await saveAttributions(services, tx, {
      place,
      of: { changeId: due.id, number: null },
      commits: read,
      found: agents,
    });
    const parts = {
      ...(await partsOfPush(services, tx, { recordedRepository: place, push, commits, sayings })),
      ...filePartsOf(changed, pushed, await protectedPatternsOf(tx, orgId, place.repositoryId)),
    };
    const observed = await agentsPart(services, tx, place, {
      changeId: due.id,
      branch: push.branch,
      mergedAt,
      createdAt: null,
      mergeSha: push.after_sha,
      commits: read,
      attributed: agents.attributed,
      parts,
    });
    return addChangeVersion(services, tx, place, {
      id: due.id,
      branch: push.branch,
      mergeMethod: 'direct_push',
      number: null,
      pushId,
      mergedAt,
      cause: due.cause,
      mergeSha: push.after_sha,
      headSha: push.after_sha,
      protectionId: null,
      author: null,
      title: null,
      parts: { ...parts, agents: observed },
    });
  });
  return { sources, mergedAt, isUnsure, isDirect: true };
}

const readCommits = ({ host, ref }: RecordedRepository, direct: readonly string[]): Promise<Commits> => {
  const some = direct.slice(-MAX_COMMITS_READ);
  const read = async () => {
    const items: HostCommit[] = [];
    for (let from = 0; host && from < some.length; from += CONCURRENT_REQUESTS) {
      const batch = some.slice(from, from + CONCURRENT_REQUESTS);
      items.push(...(await Promise.all(batch.map((sha) => host.getCommit(ref, sha)))));
    }
    return { items, isWhole: some.length === direct.length };
  };
  return requestFromHost(host && read);
};

async function partsOfPush(
  services: Services,
  tx: Tx,
  {
    recordedRepository: { orgId, provider },
    push,
    commits,
    sayings,
  }: { recordedRepository: RecordedRepository; push: PushRow; commits: Commits; sayings: AttributionSources },
): Promise<Omit<PartsWithoutAgents, 'pathMatches' | 'changedLines' | 'configuredServers'>> {
  const at = new Date().toISOString();
  const read = answerOf(commits);
  const listed = read?.items ?? [];
  const agents = readAttributions(listed, sayings);
  const written = participantsOf(listed, agents.attributed);
  const actors = await resolveActors(services, tx, orgId, { provider, named: written.named });
  const list = <Item>(items: readonly Item[]) =>
    read === undefined ? missing : read.isWhole ? complete(items) : partial(items);
  const pusher = push.pusher === null ? undefined : await actorOf(tx, orgId, push.pusher);
  const pushed = pusher ? impliedPart(pusher, at) : missingPart<typeof pusher & object>(at, 'unsupported');
  const time = push.pushed_at.toISOString();
  return {
    headSha: push.after_sha === null ? missingPart(at, 'deleted') : impliedPart(push.after_sha, at),
    authors: partOf(commits, list(distinctActors(authorsOf(written, actors)))),
    sessionOwners: partOf(commits, list(distinctActors(sessionOwnersOf(written, actors)))),
    lastPusher: pushed,
    earlierPushers: impliedPart([], at),
    // A direct push has no approval, so that it fails for every author.
    unattestedCommits: impliedPart(0, at),
    lastPushAt: push.time_source === 'host' ? impliedPart(time, at) : partOf({ value: null, at }, partial(time)),
    // A direct push has no reviews, checks or links, so no request is needed.
    reviews: impliedPart([], at),
    // Its commits are the change itself.
    unreviewedFiles: impliedPart(0, at),
    hostActivity: partOf({ value: null, at }, hostActivityFrom(provider, push.activity), 'not_requested'),
    mergedBy: pushed,
    mergeRequestedBy: { known: missing, source: { state: 'complete', fetchedAt: at, reason: null } },
    checks: impliedPart([], at),
    requiredChecks: impliedPart([], at),
    sourceBranch: impliedPart(push.branch, at),
    labels: impliedPart([], at),
    tickets: impliedPart([], at),
    namedTickets: impliedPart([], at),
    linkedIssues: impliedPart(0, at),
    ai: attributionPart(commits, sayings, agentSharesOf(listed, agents)),
  };
}

/**
 * Reclassifies a direct push that belongs to a pull request: its record names the pull request, whose own record
 * counts.
 */
async function reclassify(
  services: Services,
  tx: Tx,
  { place, due, push }: { place: RecordedRepository; due: DueChange; push: PushRow },
): Promise<void> {
  const last = await latestVersionOf(tx, place.orgId, due.id);
  if (last?.mergeMethod !== 'direct_push') return;
  const [origin] = await tx.query<{ number: number }>({
    name: 'changes.cameBy',
    text: `select number from reached_commit where org_id = $1 and push_id = $2 and number is not null order by version desc, number limit 1`,
    values: [place.orgId, push.id],
  });
  if (!origin) return;
  await lockChange(tx, due.id);
  await deleteWork(tx, place.orgId, due.id);
  const { parts, sources } = last;
  const previousParts = Object.fromEntries(
    Object.entries(parts).map(([name, known]) => [name, { known, source: sources[name] }]),
  ) as unknown as SourcedParts;
  await addChangeVersion(services, tx, place, {
    id: due.id,
    branch: push.branch,
    mergeMethod: 'pull_request',
    number: origin.number,
    pushId: push.id,
    cause: due.cause,
    mergedAt: push.pushed_at.toISOString(),
    mergeSha: push.after_sha,
    headSha: push.after_sha,
    parts: previousParts,
    protectionId: null,
    author: null,
    title: null,
  });
}
