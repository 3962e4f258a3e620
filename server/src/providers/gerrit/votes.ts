import type { HostCheck, HostTimeline } from '#providers/host-evidence.ts';
import type { HostReview, HostUser } from '../host-facts.ts';
import type { Change, ChangeMessage, PatchSet } from './change-shapes.ts';
import type { GerritUser } from './shapes.ts';

/** The label that every project has for reviews. Other labels, such as Verified, are votes about checks. */
export const reviewLabel = 'Code-Review';

/** A vote or the end of one (`value` 0), as the message of a change reports it. */
interface Vote {
  id: string;
  label: string;
  value: number;
  user: GerritUser;
  at: string;
  patchSet: number;
}

// `Patch Set 2: Code-Review+2 -Verified`; what a person wrote begins after an empty line.
const reviewed = /^Patch Set (\d+):([^\n]*)/;
const cast = /^([A-Za-z][A-Za-z0-9-]*?)([+-]\d+)$/;
const withdrawn = /^-([A-Za-z][A-Za-z0-9-]*)$/;
// `Removed Code-Review+2 by Ada <ada@example.com>`, or with `<GERRIT_ACCOUNT_1000096>`.
const removed = /^Removed ([A-Za-z][A-Za-z0-9-]*?)([+-]\d+) by ([^\n]*)/;

/** The votes of a change by their messages, oldest first. A vote on behalf of another account is one of who acted. */
function votesOf({ messages }: Change): Vote[] {
  return messages.flatMap((one) => {
    const who = one.real_author ?? one.author;
    const [, number, rest = ''] = reviewed.exec(one.message) ?? [];
    if (number === undefined || who === null) return [];
    return rest
      .trim()
      .split(/\s+/)
      .flatMap((word): Vote[] => {
        const [, label, value] = cast.exec(word) ?? [];
        const [, ended] = withdrawn.exec(word) ?? [];
        const name = label ?? ended;
        if (name === undefined) return [];
        const patchSet = one._revision_number ?? Number(number);
        return [{ id: `${one.id}:${name}`, label: name, value: Number(value ?? 0), user: who, at: one.date, patchSet }];
      });
  });
}

const keyOf = ({ hostId, login }: HostUser): string => hostId ?? login;

/** Whether a message tells that somebody else removed a vote. */
function isRemovalOf({ message, date }: ChangeMessage, vote: Vote): boolean {
  const [, label, value, by = ''] = removed.exec(message) ?? [];
  if (label !== vote.label || Number(value) !== vote.value || date < vote.at) return false;
  const { hostId, email } = vote.user;
  return by.includes(`<GERRIT_ACCOUNT_${hostId}>`) || (email !== null && by.includes(`<${email}>`));
}

interface Range {
  min: number;
  max: number;
}

/** The lowest and the highest value of a label; by default those of Code-Review, or of any other label. */
function rangeOf({ labels }: Change, label: string): Range {
  const values = Object.keys(labels?.[label]?.values ?? {}).map((text) => Number(text.trim()));
  const most = label === reviewLabel ? 2 : 1;
  return values.length === 0 ? { min: -most, max: most } : { min: Math.min(...values), max: Math.max(...values) };
}

/** Votes that the API lists on the last patch set: also those that it copied there by the copy condition of the label. */
const isStanding = ({ labels }: Change, { label, user, value }: Vote): boolean =>
  (labels?.[label]?.all ?? []).some((one) => String(one._account_id) === user.hostId && one.value === value);

interface End {
  /** Null if the host does not tell the time. */
  at: string | null;
}

/** When a vote ended before the last patch set; undefined if it stands. */
function endOf(change: Change, votes: readonly Vote[], vote: Vote): End | undefined {
  const next = votes.find(
    (other) => other.label === vote.label && keyOf(other.user) === keyOf(vote.user) && other.at > vote.at,
  );
  const removal = change.messages.find((message) => isRemovalOf(message, vote));
  const [earliest] = [next?.at, removal?.date].filter((at) => at !== undefined).toSorted();
  const outdated = outdatedAt(change, vote);
  if (earliest !== undefined && next?.value !== vote.value)
    return { at: outdated && outdated < earliest ? outdated : earliest };
  if (next !== undefined) return outdated === undefined ? undefined : { at: outdated };
  if (isStanding(change, vote)) return undefined;
  // An upload outdated it. With one upload since, that is when.
  const later = change.patchSets.filter(({ _number: number }) => number > vote.patchSet);
  return { at: outdated ?? (later.length === 1 ? (later[0]?.created ?? null) : null) };
}

/** The upload whose message says that it outdated a vote of this value, if only one of them can be meant. */
function outdatedAt(change: Change, vote: Vote): string | undefined {
  const text = `* ${vote.label}${vote.value > 0 ? '+' : ''}${vote.value} `;
  const found = change.messages.filter(({ message, date, _revision_number: number }) => {
    const start = message.indexOf('Outdated Votes:');
    return date > vote.at && (number ?? 0) > vote.patchSet && start >= 0 && message.indexOf(text, start) > start;
  });
  return found.length === 1 && !isStanding(change, vote) ? found[0]?.date : undefined;
}

// Patch sets with the same difference as the one before them, as the host compared them.
const sameCode = new Set([
  'NO_CHANGE',
  'NO_CODE_CHANGE',
  'TRIVIAL_REBASE',
  'TRIVIAL_REBASE_WITH_MESSAGE_UPDATE',
  'MERGE_FIRST_PARENT_UPDATE',
]);

/**
 * The commit that a vote is for: of its patch set, or of a later one with the same code to which the host copied it. A
 * vote that was copied to other code is for the code that was reviewed.
 */
function commitOf({ patchSets, head }: Change, vote: Vote, stands: boolean): string | null {
  let found: PatchSet | undefined = patchSets.find(({ _number: number }) => number === vote.patchSet);
  if (!stands || head === undefined) return found?.sha ?? null;
  for (const next of patchSets) {
    if (found === undefined || next._number <= found._number || next._number > head._number) continue;
    if (!sameCode.has(next.kind ?? '')) break;
    found = next;
  }
  return found?.sha ?? null;
}

type Decision = 'approved' | 'changes_requested' | 'commented';

const decisionOf = ({ value }: Vote, { min, max }: Range): Decision =>
  value === max ? 'approved' : value === min ? 'changes_requested' : 'commented';

interface DecidedVote {
  vote: Vote;
  decision: Decision;
  end: End | undefined;
}

function decidedVotesOf(change: Change): DecidedVote[] {
  const votes = votesOf(change).filter(({ label }) => label === reviewLabel);
  const range = rangeOf(change, reviewLabel);
  return votes
    .filter(({ value }) => value !== 0)
    .map((vote) => ({ vote, decision: decisionOf(vote, range), end: endOf(change, votes, vote) }));
}

/** The votes for Code-Review, and comments without one. Only the highest and the lowest value decide. */
export function reviewsFrom(change: Change): HostReview[] {
  const decided = decidedVotesOf(change);
  const votes = decided.map(
    ({ vote, decision, end }): HostReview => ({
      id: vote.id,
      user: vote.user,
      state: end !== undefined && decision !== 'commented' ? 'dismissed' : decision,
      sha: commitOf(change, vote, end === undefined),
      submittedAt: vote.at,
    }),
  );
  const voted = new Set(votesOf(change).map(({ id }) => id.split(':')[0]));
  const comments = change.messages.flatMap(({ id, message, author, date, _revision_number: number }): HostReview[] => {
    if (author === null || voted.has(id) || !reviewed.test(message)) return [];
    const patchSet = change.patchSets.find((one) => one._number === number);
    return [{ id, user: author, state: 'commented', sha: patchSet?.sha ?? null, submittedAt: date }];
  });
  return [...votes, ...comments].toSorted((one, other) => (one.submittedAt < other.submittedAt ? -1 : 1));
}

/** The ends of votes. There is no merge queue, and no issues that a change links. */
export function timelineFrom(change: Change): HostTimeline {
  return {
    dismissals: decidedVotesOf(change).flatMap(({ vote, decision, end }) =>
      end === undefined || decision === 'commented' ? [] : [{ reviewId: vote.id, at: end.at, state: decision }],
    ),
    mergeRequestedBy: null,
    isQueued: false,
    linkedIssues: undefined,
  };
}

/**
 * The votes for other labels on a commit, as results of checks: there are no commit statuses. Every account with the
 * access right can vote, so that no app stands behind one.
 */
export function checksFrom(change: Change, sha: string): HostCheck[] {
  const patchSet = change.patchSets.find((one) => one.sha === sha);
  return votesOf(change)
    .filter(
      ({ label, value, patchSet: number }) => label !== reviewLabel && value !== 0 && number === patchSet?._number,
    )
    .map((vote) => {
      const decision = decisionOf(vote, rangeOf(change, vote.label));
      const conclusion = decision === 'approved' ? 'success' : decision === 'changes_requested' ? 'failure' : 'neutral';
      return { name: vote.label, app: null, sha, conclusion, completedAt: vote.at };
    });
}
