import type { PullRequest, PullRequestDraft } from './pull-request.ts';

/**
 * Assigns each draft its number: from its merge message, its former number, or the next free one in creation order.
 * Numbers are stable across restarts. A squash that repeats a used number (such as a cherry-pick) is skipped.
 */
export const numberPullRequests = (drafts: PullRequestDraft[], known: PullRequest[]): PullRequest[] => {
  const before = new Map(known.map((pull) => [pull.key, pull.number]));
  const openBranches = new Map(known.filter(isOpen).map((pull) => [pull.headRef, pull.number]));
  const explicit = new Set(drafts.flatMap((draft) => draft.number ?? []));
  const taken = new Set<number>();
  const numbered: PullRequest[] = [];
  const waiting: PullRequestDraft[] = [];

  const claim = (draft: PullRequestDraft, number: number | undefined): boolean => {
    if (number === undefined || taken.has(number)) return false;
    taken.add(number);
    numbered.push({ ...draft, number });
    return true;
  };
  for (const draft of drafts) {
    const isRepeat = draft.number !== undefined && taken.has(draft.number);
    if (isRepeat && draft.mergeSha === draft.key) continue;
    if (!claim(draft, draft.number)) waiting.push(draft);
  }
  const unnumbered = waiting.filter((draft) => !claim(draft, before.get(draft.key)));
  const fresh = unnumbered.filter((draft) => !claim(draft, openBranches.get(draft.headRef)));

  for (const pull of known) taken.add(pull.number);
  for (const draft of fresh.sort(byCreation)) {
    const before = numbered.filter((pull) => pull.createdAt <= draft.createdAt);
    let next = before.reduce((highest, pull) => Math.max(highest, pull.number), 0) + 1;
    while (taken.has(next) || explicit.has(next)) next += 1;
    claim(draft, next);
  }
  return numbered;
};

const byCreation = (one: PullRequestDraft, other: PullRequestDraft): number =>
  one.createdAt - other.createdAt || (one.key < other.key ? -1 : 1);

const isOpen = (pull: PullRequest): boolean => pull.state === 'open';
