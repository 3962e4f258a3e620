import type { Day } from './day.ts';
import type { HostName } from './host-name.ts';
import type { Plot } from './plots.ts';

type KnownPlot = Pick<Plot, 'approval' | 'reasons'>;

/** How a change happens on a code host, and what must be said of it where the host cannot say what was planted. */
export type Telling = {
  /** Who merges what waits in a queue: a bot of the host, or whoever put it there. */
  queue: 'bot' | 'person';
  /** What a branch that was rebased became: copies of its commits, or those themselves. */
  rebased: 'copies' | 'forward';
  /** Whether it keeps a list of pushes, so that one which nobody told of is read again. */
  listsPushes: boolean;
  /** Whether it says by name which checks are required, and which issues a pull request is linked to. */
  namesChecks: boolean;
  linksIssues: boolean;
  /** By the name of a plot; every other one is told as it was planted. */
  plots: Readonly<Record<string, KnownPlot>>;
  /** The same by the name of a day. */
  days: Readonly<Record<string, Pick<Day, 'verdict' | 'reasons'>>>;
};

const whenDismissed: KnownPlot = { approval: 'unknown', reasons: [['dismissal_time_unknown']] };

const tellsAll = { listsPushes: true, namesChecks: true, linksIssues: true };

export const tellings: Readonly<Record<HostName, Telling>> = {
  github: { queue: 'bot', rebased: 'copies', ...tellsAll, plots: {}, days: {} },
  gitlab: {
    queue: 'person',
    rebased: 'forward',
    ...tellsAll,
    plots: {
      // Approvals that somebody else resets are gone without a note, and so without a time.
      dismissed: whenDismissed,
      dismissedAfterTheMerge: whenDismissed,
      // They go with the account of whoever gave them, so that nobody knows whether they had been reset before.
      approvalByGhost: {
        approval: 'unknown',
        reasons: [
          ['dismissal_time_unknown'],
          ['membership_unknown'],
          ['reviewer_kind_unknown'],
          ['reviewer_unresolved'],
        ],
      },
    },
    // Nobody can delete a default branch there, protected or not.
    days: {
      deletion: { verdict: 'pass', reasons: ['protected_all_day'] },
      adminsFree: { verdict: 'fail', reasons: ['admins_exempt'] },
      unprotected: {
        verdict: 'fail',
        reasons: ['admins_exempt', 'force_push_allowed', 'stale_approvals_kept', 'too_few_required_reviews'],
      },
    },
  },
  bitbucket: {
    queue: 'person',
    rebased: 'copies',
    listsPushes: false,
    namesChecks: false,
    linksIssues: false,
    plots: {
      // An approval that was taken back is gone without a time.
      dismissed: whenDismissed,
      dismissedAfterTheMerge: whenDismissed,
      // Of what somebody said of one commit the last word is left.
      takenBack: { approval: 'no', reasons: [] },
    },
    // Whether administrators are bound is told with a paid plan alone, so that its lack says nothing.
    days: { adminsFree: { verdict: 'fail', reasons: ['deletion_allowed'] } },
  },
};
