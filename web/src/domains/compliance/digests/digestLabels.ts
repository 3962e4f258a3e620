import type { DigestCounts, DigestItemDecision, DigestState } from '@sightline/contract/compliance/digests.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

export const digestStateBadges: Record<DigestState, readonly [Tone, string]> = {
  open: ['yellow', 'To review'],
  partly: ['blue', 'Partly reviewed'],
  signed: ['green', 'Signed off'],
};

export const digestChoiceLabels: Record<DigestItemDecision, string> = {
  accepted: 'Accepted',
  follow_up: 'Follow up',
  wrong: 'Wrong',
};
export const digestChoices = ['accepted', 'follow_up', 'wrong'] as const satisfies readonly DigestItemDecision[];

/** The labels of the counts, in the order of the page. */
export const digestCountLabels: Record<keyof DigestCounts, string> = {
  changes: 'Changes',
  withoutApproval: 'Without independent approval',
  byAgents: 'With agents',
  commits: 'Commits',
  directCommits: 'Without a pull request',
  newCommitters: 'New committers',
  protectionChanges: 'Branch protection changes',
  newTools: 'New tools',
  seriousFindings: 'New critical or high findings',
  overTimeLimit: 'Overdue findings',
  waivers: 'Waivers requested, decided or expiring',
};

/** '9 Nov to 15 Nov 2026'. The last day is inclusive. */
export function weekText({ from, to }: { from: string; to: string }): string {
  return `${day.format(Date.parse(from))} to ${dayOfYear.format(Date.parse(to) - 1)}`;
}

const DAY_MS = 86_400_000;
const LISTED_WEEKS = 104;

/** The weeks that have ended, from Monday to Monday in UTC, the latest first. `now` is in epoch milliseconds. */
export function pastWeeks(now: number): { from: string; to: string }[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY_MS;
  return Array.from({ length: LISTED_WEEKS }, (_, index) => ({
    from: new Date(monday - (index + 1) * 7 * DAY_MS).toISOString(),
    to: new Date(monday - index * 7 * DAY_MS).toISOString(),
  }));
}

// Weeks begin and end at UTC midnight.
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
