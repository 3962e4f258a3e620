import type { Provider } from '@sightline/contract/core/providers.ts';
import type { Fact } from '@sightline/evidence/controls/facts.ts';
import type { Actor } from '@sightline/evidence/controls/persons.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostHeadPush } from '#providers/host-evidence.ts';
import type { HostPullRequest } from '../../../providers/host-facts.ts';
import { type HostIdentity, resolveActors } from './actors.ts';
import { type AttributionSources, agentSharesOf, readAttributions } from './attribution/read.ts';
import { filePartsOf } from './changed-files.ts';
import type { PullRequestData } from './fetch-pull-request-data.ts';
import {
  answerOf,
  complete,
  factFrom,
  type HostAnswer,
  missing,
  partial,
  partOf,
  type SourcedPart,
} from './host-answer.ts';
import { type ChangeParts, distinctActors } from './parts.ts';
import type { StoredHeadPush } from './pull-request-heads.ts';
import { type EarlierPushers, earlierPushersOf } from './pushers.ts';
import { membershipsAt, restoreReviews, type StoredReview } from './reviews.ts';
import { type TicketAnswer, ticketParts } from './tickets.ts';
import { authorsOf, participantsOf, sessionOwnersOf } from './writers.ts';

/** The parts of a record, each with its source. */
export type SourcedParts = { [Name in keyof ChangeParts]: SourcedPart<ValueOf<ChangeParts[Name]>> };
type ValueOf<Any> = Extract<Any, { value: unknown }>['value'];

/** The parts before sessions are joined, which needs what these parts say. */
export type PartsWithoutAgents = Omit<SourcedParts, 'agents'>;

/** Data about a pull request that its code host does not report. */
export interface RecordedParts {
  storedReviews: readonly StoredReview[];
  /** The pushes to its branch, as reported by webhooks. */
  headPushes: readonly StoredHeadPush[];
  requiredChecks: SourcedParts['requiredChecks'];
  unreviewedFiles: SourcedParts['unreviewedFiles'];
  hostActivity: SourcedParts['hostActivity'];
  tickets: TicketAnswer;
  /** The patterns of protected files in policies. */
  protectedPatterns: readonly string[];
}

/** Builds the parts of a merged pull request, each with its source. */
export async function mergeParts(
  services: Services,
  tx: Tx,
  orgId: string,
  {
    provider,
    found,
    pullRequest,
    recorded,
  }: { provider: Provider; found: PullRequestData; pullRequest: HostPullRequest; recorded: RecordedParts },
): Promise<PartsWithoutAgents> {
  const { commits, timeline, checks, sayings, pullRequest: pr } = found;
  const hostData = answerOf(pr);
  const reviews = hostData?.reviews ?? [];
  const listed = answerOf(commits)?.items ?? [];
  const agents = readAttributions(listed, sayings);
  const written = participantsOf(listed, agents.attributed);
  const push = answerOf(found.pushes)?.find(({ sha }) => sha === pullRequest.headSha);
  const mergeRequester = answerOf(timeline)?.mergeRequestedBy;
  const earlier = earlierPushersOf({
    pullRequest,
    commits: answerOf(commits),
    listed: answerOf(found.pushes) ?? [],
    stored: recorded.headPushes,
  });
  const { people, of } = combineIdentities(written.named, [
    pullRequest.author,
    ...reviews.map(({ user }) => user),
    pullRequest.mergedBy,
    push?.pusher,
    mergeRequester,
    ...earlier.users,
  ]);
  const actors = await resolveActors(services, tx, orgId, { provider, named: people });
  const [author, ...others] = of(actors);
  const by = others.slice(0, reviews.length) as Actor[];
  const [mergedBy, pusher, requestedBy, ...earlierUsers] = others.slice(reviews.length);
  const members = await membershipsAt(
    tx,
    orgId,
    reviews.map(({ submittedAt }, index) => ({ person: personOf(by[index]), at: submittedAt })),
  );
  const mergedAt = pullRequest.mergedAt ?? pullRequest.updatedAt;
  const authors = distinctActors([...(author ? [author] : []), ...authorsOf(written, actors)]);
  const owners = distinctActors(sessionOwnersOf(written, actors));
  const list = <Item>(items: readonly Item[]): Fact<readonly Item[]> => {
    const listing = answerOf(commits);
    if (!listing) return items.length === 0 ? missing : partial(items);
    return listing.isWhole ? complete(items) : partial(items);
  };
  return {
    headSha: partOf(pr, pullRequest.headSha === '' ? missing : complete(pullRequest.headSha)),
    authors: partOf(commits, list(authors)),
    sessionOwners: partOf(commits, list(owners)),
    ...pushParts(found, { hostPullRequest: pullRequest, push, pusher, recordedParts: recorded }),
    unattestedCommits: partOf(found.pushes, unattestedPart(earlier)),
    earlierPushers: partOf(
      found.pushes,
      earlierPart(distinctActors([...earlier.actors, ...(earlierUsers as Actor[])]), earlier.isWhole),
    ),
    reviews: partOf(
      pr,
      hostData
        ? complete(
            restoreReviews({
              reviews,
              by,
              members,
              timeline,
              storedReviews: recorded.storedReviews,
              mergedAt,
              areFor: found.reviewsAreFor,
            }),
          )
        : missing,
    ),
    unreviewedFiles: recorded.unreviewedFiles,
    hostActivity: recorded.hostActivity,
    mergedBy: partOf(pr, mergedBy ? complete(mergedBy) : missing),
    mergeRequestedBy: mergeRequesterPart(timeline, requestedBy),
    checks: partOf(
      checks,
      factFrom(checks, (all) => all.map((check) => ({ ...check, completedAt: instant(check.completedAt) }))),
    ),
    requiredChecks: recorded.requiredChecks,
    sourceBranch: partOf(pr, complete(pullRequest.headRef)),
    labels: partOf(pr, pullRequest.labels ? complete(pullRequest.labels) : missing),
    ...(await ticketParts(services, tx, { orgId, provider }, recorded.tickets)),
    linkedIssues: partOf(
      timeline,
      factFrom(timeline, ({ linkedIssues }) => linkedIssues),
    ),
    ai: attributionPart(commits, sayings, agentSharesOf(listed, agents)),
    ...filePartsOf(found.changed, pullRequest, recorded.protectedPatterns),
  };
}

/** Attributions are complete only if the notes are known. Without them, other agents may have contributed. */
export function attributionPart(
  commits: HostAnswer<{ isWhole: boolean }>,
  { notes }: AttributionSources,
  shares: ReturnType<typeof agentSharesOf>,
): SourcedParts['ai'] {
  const isWhole = answerOf(commits)?.isWhole === true && 'value' in notes;
  const from = 'value' in commits && 'reason' in notes ? notes : commits;
  return partOf(from, isWhole ? complete(shares) : shares.length > 0 ? partial(shares) : missing, 'not_requested');
}

function pushParts(
  { pushes, commits }: PullRequestData,
  {
    hostPullRequest: { headSha },
    push,
    pusher,
    recordedParts: { headPushes },
  }: {
    hostPullRequest: HostPullRequest;
    push: HostHeadPush | undefined;
    pusher: Actor | null | undefined;
    recordedParts: RecordedParts;
  },
): Pick<SourcedParts, 'lastPusher' | 'lastPushAt'> {
  const last = pusher ?? headPushes.find(({ sha }) => sha === headSha)?.by;
  const head = answerOf(commits)?.items.find(({ sha }) => sha === headSha);
  const after = push?.at ?? head?.committedAt;
  const at =
    after === undefined
      ? missing
      : push?.atKnown === 'host'
        ? complete(instant(push.at) ?? '')
        : partial(instant(after) ?? '');
  return { lastPusher: partOf(pushes, last ? complete(last) : missing), lastPushAt: partOf(pushes, at) };
}

const unattestedPart = ({ unattested, isWhole }: EarlierPushers): Fact<number> =>
  isWhole ? complete(unattested) : unattested > 0 ? partial(unattested) : missing;

const earlierPart = (pushers: readonly Actor[], isWhole: boolean): Fact<readonly Actor[]> =>
  isWhole ? complete(pushers) : pushers.length > 0 ? partial(pushers) : missing;

/** If a timeline has no requester, the merge was not requested, which is a known fact. */
function mergeRequesterPart(
  timeline: PullRequestData['timeline'],
  by: Actor | null | undefined,
): SourcedParts['mergeRequestedBy'] {
  const part = partOf(timeline, by ? complete(by) : missing);
  const hasNoRequester = answerOf(timeline)?.mergeRequestedBy === null;
  return hasNoRequester
    ? { known: missing, source: { state: 'complete', fetchedAt: timeline.at, reason: null } }
    : part;
}

/**
 * Combines two lists, to resolve them at once. `of` returns the actors of the second list, null for an absent identity.
 */
function combineIdentities(first: readonly HostIdentity[], second: readonly (HostIdentity | null | undefined)[]) {
  const people = [...first, ...second.filter((one) => one !== null && one !== undefined)];
  const of = (actors: readonly Actor[]): (Actor | null)[] => {
    let index = first.length;
    return second.map((one) => {
      if (!one) return null;
      index += 1;
      return actors[index - 1] ?? null;
    });
  };
  return { people, of };
}

// For an uncertain identity, absence of membership is uncertain too.
const personOf = (actor: Actor | undefined): string | null => (actor?.identity === 'resolved' ? actor.person : null);

const instant = (at: string | null): string | null => (at === null ? null : new Date(at).toISOString());
