import type { Provider } from '@sightline/contract/core/providers.ts';
import type { Fact } from '@sightline/evidence/controls/known.ts';
import type { Actor } from '@sightline/evidence/controls/persons.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostHeadPush } from '#providers/host-evidence.ts';
import type { HostPullRequest } from '../../../providers/host-facts.ts';
import { actorsOf, type HostIdentity } from './actors.ts';
import { attributedIn, type Sayings, sharesOf } from './attribution/read.ts';
import type { Gathered } from './gather.ts';
import {
  answerOf,
  complete,
  type HostAnswer,
  knownOf,
  missing,
  partial,
  partOf,
  type SourcedPart,
} from './host-answer.ts';
import { type ChangeParts, distinct } from './parts.ts';
import { membersAt, reviewsFrom, type StoredReview } from './reviews.ts';
import { ticketsIn } from './tickets.ts';
import { authorsIn, ownersIn, writersOf } from './writers.ts';

/** The parts of a record, each with where it comes from. */
export type SourcedParts = { [Name in keyof ChangeParts]: SourcedPart<ValueOf<ChangeParts[Name]>> };
type ValueOf<Any> = Any extends Fact<infer Value> ? Value : never;

/** What we know ourselves of a pull request. */
export interface RecordedParts {
  heard: readonly StoredReview[];
  /** Who pushed the commit that was merged, as a webhook told. */
  headPusher: Actor | undefined;
  requiredChecks: SourcedParts['requiredChecks'];
}

/** The parts of the change that a merged pull request is, each with where it comes from. */
export async function partsOfMerge(
  services: Services,
  tx: Tx,
  orgId: string,
  {
    provider,
    found,
    pullRequest,
    recorded,
  }: { provider: Provider; found: Gathered; pullRequest: HostPullRequest; recorded: RecordedParts },
): Promise<SourcedParts> {
  const { commits, timeline, checks, sayings } = found;
  const told = answerOf(found.pullRequest);
  const reviews = told?.reviews ?? [];
  const listed = answerOf(commits)?.items ?? [];
  const agents = attributedIn(listed, sayings);
  const written = writersOf(listed, agents.attributed);
  const push = answerOf(found.pushes)?.find(({ sha }) => sha === pullRequest.headSha);
  const asked = answerOf(timeline)?.mergeRequestedBy;
  const { people, of } = gathering(written.named, [
    pullRequest.author,
    ...reviews.map(({ user }) => user),
    pullRequest.mergedBy,
    push?.pusher,
    asked,
  ]);
  const actors = await actorsOf(services, tx, orgId, { provider, named: people });
  const [author, ...others] = of(actors);
  const by = others.slice(0, reviews.length) as Actor[];
  const [mergedBy, pusher, askedBy] = others.slice(reviews.length);
  const members = await membersAt(
    tx,
    orgId,
    reviews.map(({ submittedAt }, index) => ({ person: personOf(by[index]), at: submittedAt })),
  );
  const mergedAt = pullRequest.mergedAt ?? pullRequest.updatedAt;
  const authors = distinct([...(author ? [author] : []), ...authorsIn(written, actors)]);
  const owners = distinct(ownersIn(written, actors));
  const list = <Item>(items: readonly Item[]): Fact<readonly Item[]> => {
    const whole = answerOf(commits);
    if (!whole) return items.length === 0 ? missing : partial(items);
    return whole.isWhole ? complete(items) : partial(items);
  };
  const pr = found.pullRequest;
  return {
    headSha: partOf(pr, pullRequest.headSha === '' ? missing : complete(pullRequest.headSha)),
    authors: partOf(commits, list(authors)),
    sessionOwners: partOf(commits, list(owners)),
    ...pushParts(found, { hostPullRequest: pullRequest, push, pusher, recordedParts: recorded }),
    reviews: partOf(
      pr,
      told
        ? complete(
            reviewsFrom({
              reviews,
              by,
              members,
              timeline,
              heard: recorded.heard,
              mergedAt,
              areFor: found.reviewsAreFor,
            }),
          )
        : missing,
    ),
    mergedBy: partOf(pr, mergedBy ? complete(mergedBy) : missing),
    mergeRequestedBy: askedPart(timeline, askedBy),
    checks: partOf(
      checks,
      knownOf(checks, (all) => all.map((check) => ({ ...check, completedAt: instant(check.completedAt) }))),
    ),
    requiredChecks: recorded.requiredChecks,
    sourceBranch: partOf(pr, complete(pullRequest.headRef)),
    labels: partOf(pr, pullRequest.labels ? complete(pullRequest.labels) : missing),
    tickets: partOf(pr, ticketsIn(pullRequest), 'not_requested'),
    linkedIssues: partOf(
      timeline,
      knownOf(timeline, ({ linkedIssues }) => linkedIssues),
    ),
    ai: aiPart(commits, sayings, sharesOf(listed, agents)),
  };
}

/**
 * Notes that a host was asked for, or a file of traces that is there, make what is said of agents the whole of it. Without them
 * nobody knows who else wrote.
 */
export function aiPart(
  commits: HostAnswer<{ isWhole: boolean }>,
  { notes, traces }: Sayings,
  shares: ReturnType<typeof sharesOf>,
): SourcedParts['ai'] {
  const isAttributing = 'value' in notes || !!answerOf(traces);
  const isWhole = answerOf(commits)?.isWhole === true && isAttributing;
  const from = 'value' in commits && !isAttributing ? notes : commits;
  return partOf(from, isWhole ? complete(shares) : shares.length > 0 ? partial(shares) : missing, 'not_requested');
}

function pushParts(
  { pushes, commits }: Gathered,
  {
    hostPullRequest: { headSha },
    push,
    pusher,
    recordedParts: { headPusher },
  }: {
    hostPullRequest: HostPullRequest;
    push: HostHeadPush | undefined;
    pusher: Actor | null | undefined;
    recordedParts: RecordedParts;
  },
): Pick<SourcedParts, 'lastPusher' | 'lastPushAt'> {
  const last = pusher ?? headPusher;
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

/** A timeline that names nobody says that nobody asked. */
function askedPart(timeline: Gathered['timeline'], by: Actor | null | undefined): SourcedParts['mergeRequestedBy'] {
  const part = partOf(timeline, by ? complete(by) : missing);
  const isNobody = answerOf(timeline)?.mergeRequestedBy === null;
  return isNobody ? { known: missing, source: { state: 'complete', fetchedAt: timeline.at, reason: null } } : part;
}

/** People to be asked for at once; `of` gives those of the second list back, null where there was nobody. */
function gathering(first: readonly HostIdentity[], second: readonly (HostIdentity | null | undefined)[]) {
  const people = [...first, ...second.filter((one) => one !== null && one !== undefined)];
  const of = (actors: readonly Actor[]): (Actor | null)[] => {
    let place = first.length;
    return second.map((one) => {
      if (!one) return null;
      place += 1;
      return actors[place - 1] ?? null;
    });
  };
  return { people, of };
}

// Of whom it is not certain who they are, it is not certain either that they were no member.
const personOf = (actor: Actor | undefined): string | null => (actor?.identity === 'resolved' ? actor.person : null);

const instant = (at: string | null): string | null => (at === null ? null : new Date(at).toISOString());
