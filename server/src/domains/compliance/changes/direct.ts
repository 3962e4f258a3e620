import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostCommit } from '../../../providers/host-facts.ts';
import { actorsOf } from './actors.ts';
import { askSayings, attributedIn, type Sayings, sharesOf } from './attribution/read.ts';
import { keepAttributions } from './attribution/save.ts';
import type { Due } from './due.ts';
import { answerOf, complete, given, type HostAnswer, missing, partial, partOf, tell, untold } from './host-answer.ts';
import { aiPart, type SourcedParts } from './merges.ts';
import type { ChangeOutcome } from './outcome.ts';
import { distinct } from './parts.ts';
import { type PushRow, reach } from './reach.ts';
import { addVersion, lastOf } from './records.ts';
import type { RecordedRepository } from './scope.ts';
import { actorOf, maybePush } from './stored.ts';
import { authorsIn, ownersIn, writersOf } from './writers.ts';

// Of a larger push, only the newest commits are read.
const MAX_COMMITS_READ = 250;
const CONCURRENT_REQUESTS = 6;

type Commits = HostAnswer<{ items: HostCommit[]; isWhole: boolean }>;

/**
 * Determines how each commit of a push reached its branch, and records those without a pull request as a direct push.
 * Throws HostLimited.
 */
export async function makePush(
  services: Services,
  place: RecordedRepository,
  due: Due,
  pushId: string,
): Promise<ChangeOutcome> {
  const { orgId } = place;
  const push = await services.database.withOrg(orgId, (tx) => maybePush(tx, orgId, pushId));
  if (!push || push.commits.length === 0) return undefined;
  const { direct, isUnsure } = await reach(services, place, push);
  const mergedAt = push.pushed_at.toISOString();
  if (direct.length === 0) {
    await services.database.withOrg(orgId, (tx) => reclassify(services, tx, { place, due, push }));
    return { sources: {}, mergedAt, isUnsure, isDirect: false };
  }
  const commits = await readCommits(place, direct);
  const read = answerOf(commits)?.items ?? [];
  const sayings = await askSayings(place.host, place.ref, read, push.after_sha);
  const sources = await services.database.withOrg(orgId, async (tx) => {
    await keepAttributions(services, tx, {
      place,
      of: { changeId: due.id, number: null },
      commits: read,
      found: attributedIn(read, sayings),
    });
    return addVersion(services, tx, place, {
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
      parts: await partsOfPush(services, tx, { recordedRepository: place, push, commits, sayings }),
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
  return tell(host && read);
};

async function partsOfPush(
  services: Services,
  tx: Tx,
  {
    recordedRepository: { orgId, provider },
    push,
    commits,
    sayings,
  }: { recordedRepository: RecordedRepository; push: PushRow; commits: Commits; sayings: Sayings },
): Promise<SourcedParts> {
  const at = new Date().toISOString();
  const read = answerOf(commits);
  const listed = read?.items ?? [];
  const agents = attributedIn(listed, sayings);
  const written = writersOf(listed, agents.attributed);
  const actors = await actorsOf(services, tx, orgId, { provider, named: written.named });
  const list = <Item>(items: readonly Item[]) =>
    read === undefined ? missing : read.isWhole ? complete(items) : partial(items);
  const pusher = push.pusher === null ? undefined : await actorOf(tx, orgId, push.pusher);
  const pushed = pusher ? given(pusher, at) : untold<typeof pusher & object>(at, 'unsupported');
  const time = push.pushed_at.toISOString();
  return {
    headSha: push.after_sha === null ? untold(at, 'deleted') : given(push.after_sha, at),
    authors: partOf(commits, list(distinct(authorsIn(written, actors)))),
    sessionOwners: partOf(commits, list(distinct(ownersIn(written, actors)))),
    lastPusher: pushed,
    lastPushAt: push.time_source === 'host' ? given(time, at) : partOf({ value: null, at }, partial(time)),
    // A direct push has no reviews, checks or links, so no request is needed.
    reviews: given([], at),
    mergedBy: pushed,
    mergeRequestedBy: { known: missing, source: { state: 'complete', fetchedAt: at, reason: null } },
    checks: given([], at),
    requiredChecks: given([], at),
    sourceBranch: given(push.branch, at),
    labels: given([], at),
    tickets: given([], at),
    linkedIssues: given(0, at),
    ai: aiPart(commits, sayings, sharesOf(listed, agents)),
  };
}

/**
 * Reclassifies a direct push that belongs to a pull request: its record names the pull request, whose own record
 * counts.
 */
async function reclassify(
  services: Services,
  tx: Tx,
  { place, due, push }: { place: RecordedRepository; due: Due; push: PushRow },
): Promise<void> {
  const last = await lastOf(tx, place.orgId, due.id);
  if (last?.mergeMethod !== 'direct_push') return;
  const [origin] = await tx.query<{ number: number }>({
    name: 'changes.cameBy',
    text: `select number from reached_commit where org_id = $1 and push_id = $2 and number is not null order by version desc, number limit 1`,
    values: [place.orgId, push.id],
  });
  if (!origin) return;
  const { parts, sources } = last;
  const previousParts = Object.fromEntries(
    Object.entries(parts).map(([name, known]) => [name, { known, source: sources[name] }]),
  ) as unknown as SourcedParts;
  await addVersion(services, tx, place, {
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
