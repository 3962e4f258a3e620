import { z } from 'zod';
import type { HostTimeline } from '#providers/host-evidence.ts';
import type { HostReview, HostUser } from '../host-facts.ts';
import { type IdentityRef, identityRef, maybeTime, time, userFrom } from './shapes.ts';

const value = z.object({ $value: z.unknown() }).nullish();

const thread = z.object({
  id: z.number().int(),
  publishedDate: time,
  lastUpdatedDate: maybeTime,
  properties: z.record(z.string(), value).nullish(),
  identities: z.record(z.string(), identityRef).nullish(),
  comments: z.array(z.object({ author: identityRef.nullish(), commentType: z.string().nullish() })).nullish(),
});
type Thread = z.output<typeof thread>;

/** Parses the threads of a pull request, oldest first. What the host did is in threads of its own. */
export const threadsFrom = (items: readonly unknown[]): Thread[] =>
  items
    .map((json) => thread.parse(json))
    .toSorted((one, other) =>
      one.publishedDate === other.publishedDate ? one.id - other.id : one.publishedDate < other.publishedDate ? -1 : 1,
    );

/** The time of the last thread or comment. */
export const lastThreadTime = (threads: readonly Thread[]): string =>
  threads.reduce((last, one) => [last, one.publishedDate, one.lastUpdatedDate ?? ''].sort().at(-1) ?? '', '');

const textOf = ({ properties }: Thread, name: string): string => String(properties?.[name]?.$value ?? '');
const typeOf = (one: Thread): string => textOf(one, 'CodeReviewThreadType');

/**
 * The people that a property of a thread names: newer versions name keys of `identities`, older ones IDs in a property of
 * their own.
 */
function namedIn(one: Thread, property: string, others: ReadonlyMap<string, IdentityRef>): IdentityRef[] {
  const keys = textOf(one, `${property}Identity`) || textOf(one, `${property}Identities`);
  const named = separated(keys).flatMap((key) => one.identities?.[key] ?? []);
  if (named.length > 0) return named;
  const ids = separated(textOf(one, `${property}TfId`) || textOf(one, `${property}Ids`)).map(canonicalId);
  return ids.map((id) => others.get(id) ?? { id });
}

const separated = (text: string): string[] => text.split(/[\s;,[\]"]+/).filter((part) => part !== '');

/** Some threads have IDs without hyphens. */
const canonicalId = (id: string): string =>
  /^[0-9a-f]{32}$/i.test(id)
    ? id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5').toLowerCase()
    : id.toLowerCase();

const reviewer = identityRef.extend({ vote: z.number().int().nullish() });

/** The reviewers of a pull request with their present votes. A vote of a group is that of a member, who is listed too. */
export const reviewersFrom = (items: readonly unknown[]) =>
  items.map((json) => reviewer.parse(json)).filter(({ isContainer }) => !isContainer);
type Reviewer = ReturnType<typeof reviewersFrom>[number];

type Decision = 'approved' | 'changes_requested';

/** 10: approved, 5: approved with suggestions, -5: waiting for the author, -10: rejected. */
const decisionOf = (vote: number): Decision | undefined =>
  vote > 0 ? 'approved' : vote < 0 ? 'changes_requested' : undefined;

interface Vote {
  id: string;
  by: string;
  user: HostUser;
  decision: Decision;
  at: string;
  /** Null while it counts. `at`: null if unknown. */
  reset: { at: string | null } | null;
}

/**
 * Reads the history of votes. A vote is withdrawn by a vote of zero, by a reset of all or of several votes, or with the
 * reviewer. The present votes of `reviewers` show what the history lacks: a vote that is no longer there was reset at an
 * unknown time, and so counts a vote that was never recorded.
 */
export function votesFrom(threads: readonly Thread[], reviewers: readonly Reviewer[]): Vote[] {
  const votes: Vote[] = [];
  const known = new Map(reviewers.map((one) => [canonicalId(one.id ?? ''), one]));
  const reset = (at: string, by?: string) => {
    for (const vote of votes) if (vote.reset === null && (by === undefined || vote.by === by)) vote.reset = { at };
  };
  for (const one of threads) {
    const at = one.publishedDate;
    const type = typeOf(one);
    if (type === 'VoteUpdate') {
      const [voter = one.comments?.[0]?.author ?? {}] = namedIn(one, 'CodeReviewVotedBy', known);
      const by = canonicalId(voter.id ?? '');
      const decision = decisionOf(Number(textOf(one, 'CodeReviewVoteResult')));
      if (decision === undefined) reset(at, by);
      else
        votes.push({
          id: String(one.id),
          by,
          user: userFrom({ ...known.get(by), ...voter }),
          decision,
          at,
          reset: null,
        });
    } else if (type === 'ResetAllVotes') reset(at);
    else if (type === 'ResetMultipleVotes') {
      for (const voter of namedIn(one, 'CodeReviewResetMultipleVotesExampleVoter', known))
        reset(at, canonicalId(voter.id ?? ''));
    } else if (type === 'ReviewersUpdate') {
      for (const removed of namedIn(one, 'CodeReviewReviewersUpdatedRemoved', known))
        reset(at, canonicalId(removed.id ?? ''));
    }
  }
  return withPresentVotes(votes, known);
}

function withPresentVotes(votes: readonly Vote[], reviewers: ReadonlyMap<string, Reviewer>): Vote[] {
  const last = new Map(votes.filter(({ reset }) => reset === null).map((vote) => [vote.by, vote]));
  for (const [by, vote] of last) {
    const present = decisionOf(reviewers.get(by)?.vote ?? 0);
    if (present !== vote.decision)
      for (const earlier of votes) if (earlier.by === by && earlier.reset === null) earlier.reset = { at: null };
  }
  const unrecorded = [...reviewers].flatMap(([by, one]): Vote[] => {
    const decision = decisionOf(one.vote ?? 0);
    const isRecorded = votes.some((vote) => vote.by === by && vote.reset === null && vote.decision === decision);
    if (decision === undefined || isRecorded) return [];
    return [{ id: `vote:${by}`, by, user: userFrom(one), decision, at: '', reset: { at: null } }];
  });
  return [...votes, ...unrecorded];
}

/** `createdAt`: of the pull request, for a vote whose time is unknown. */
export const reviewsFrom = (votes: readonly Vote[], createdAt: string): HostReview[] =>
  votes.map(({ id, user, decision, at, reset }) => ({
    id,
    user,
    state: reset === null ? decision : 'dismissed',
    // A vote is for the pull request at its time.
    sha: null,
    submittedAt: at || createdAt,
  }));

export const dismissalsFrom = (votes: readonly Vote[]): HostTimeline['dismissals'] =>
  votes.flatMap(({ id, decision, reset }) => (reset === null ? [] : [{ reviewId: id, at: reset.at, state: decision }]));

/** Who pushed which head to the branch, as far as threads name it. */
export const headUpdatesFrom = (threads: readonly Thread[]) =>
  threads
    .filter((one) => typeOf(one) === 'RefUpdate')
    .flatMap((one) => {
      const sha = textOf(one, 'CodeReviewRefNewHeadCommit');
      const [by] = namedIn(one, 'CodeReviewRefUpdatedBy', new Map());
      return sha === ''
        ? []
        : [{ sha, at: one.publishedDate, pusher: by?.displayName || by?.uniqueName ? userFrom(by) : null }];
    });

/** Who set the automatic completion last; null if it was never set or is no longer. */
export function autoCompleterFrom(threads: readonly Thread[]): HostUser | null {
  const last = threads.findLast((one) => typeOf(one) === 'AutoCompleteUpdate');
  if (!last || !/^true$/i.test(textOf(last, 'CodeReviewAutoCompleteNowSet'))) return null;
  const [by = last.comments?.[0]?.author] = namedIn(last, 'CodeReviewAutoCompleteUpdatedBy', new Map());
  return by ? userFrom(by) : null;
}
