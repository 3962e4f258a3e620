import type { Person, PullRequest } from '../git/pull-request.ts';

/** The numbers of the API. A comment is no vote. */
export const votes = { approved: 10, changes_requested: -10, commented: 0 } as const;

/** The votes that count now, one for each reviewer. A comment is no vote. */
export const presentVotesOf = ({ reviews }: PullRequest): { by: Person; vote: number }[] => {
  const found = new Map<string, { by: Person; vote: number }>();
  for (const { reviewer, verdict, dismissed } of reviews.toSorted((one, other) => one.at - other.at)) {
    if (verdict === 'commented') continue;
    found.set(reviewer.email, { by: reviewer, vote: dismissed === null ? votes[verdict] : 0 });
  }
  return [...found.values()];
};
