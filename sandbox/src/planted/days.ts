import type { Rules } from '../git/model.ts';
import type { Day, ProtectionLook } from './day.ts';
import type { HostName } from './host-name.ts';
import { tellings } from './hosts.ts';
import { createRandom } from './random.ts';

const kept: Rules = {
  requiredReviews: 1,
  dismissesStale: true,
  allowsForcePush: false,
  allowsDeletion: false,
  includesAdmins: true,
  requiredChecks: [],
};
/** As it should be at midnight and in the evening, and between them otherwise. */
const but = (sees: ProtectionLook['sees']): ProtectionLook[] => [
  ...[0, 9].map((hour) => ({ hour, sees: kept })),
  { hour: 10, sees },
  ...[11, 18].map((hour) => ({ hour, sees: kept })),
];
const weak = (less: Partial<Rules>, ...reasons: string[]): Omit<Day, 'plot'> => ({
  looks: but({ ...kept, ...less }),
  verdict: 'fail',
  reasons,
});

const plots: Readonly<Record<string, Omit<Day, 'plot'>>> = {
  kept: { looks: but(kept), verdict: 'pass', reasons: ['protected_all_day'] },
  stricter: { looks: but({ ...kept, requiredReviews: 2 }), verdict: 'pass', reasons: ['protected_all_day'] },
  noReviews: weak({ requiredReviews: 0 }, 'too_few_required_reviews'),
  staleStay: weak({ dismissesStale: false }, 'stale_approvals_kept'),
  forcePush: weak({ allowsForcePush: true }, 'force_push_allowed'),
  deletion: weak({ allowsDeletion: true }, 'deletion_allowed'),
  adminsFree: weak({ includesAdmins: false, allowsDeletion: true }, 'admins_exempt', 'deletion_allowed'),
  unprotected: {
    looks: but('unprotected'),
    verdict: 'fail',
    reasons: [
      ...['admins_exempt', 'deletion_allowed', 'force_push_allowed', 'stale_approvals_kept'],
      'too_few_required_reviews',
    ],
  },
  // Nobody may read it for an hour.
  forbidden: { looks: but('forbidden'), verdict: 'missing_evidence', reasons: ['protection_incomplete'] },
  // What was seen the evening before holds for a day, and not for longer.
  silent: { looks: [], verdict: 'missing_evidence', reasons: ['protection_stale'] },
};

/** Days of a branch in their order, the same for the same seed: every kind of them once where the number of days allows it. The first is kept. `on`: the host that tells of them. */
export const createDays = (seed: number, count: number, on: HostName = 'github'): Day[] => {
  const random = createRandom(seed + 4);
  const names = Object.keys(plots);
  const rest = Array.from({ length: Math.max(0, count - names.length - 1) }, () => random.pick(names));
  return ['kept', ...random.shuffle([...names, ...rest])].slice(0, count).map((plot) => {
    const day = plots[plot];
    if (day === undefined) throw new RangeError(`No day is called ${plot}.`);
    return { plot, ...day, ...tellings[on].days[plot] };
  });
};
