import type { Rules } from '../git/model.ts';
import type { Day, ProtectionLook } from './day-scenario.ts';
import type { HostName } from './host-name.ts';
import { hostBehavior } from './hosts.ts';
import { createRandom } from './random.ts';
import { requiredCheck } from './required-check.ts';

const compliantRules: Rules = {
  requiredReviews: 1,
  dismissesStale: true,
  allowsForcePush: false,
  allowsDeletion: false,
  includesAdmins: true,
  requiredChecks: [requiredCheck],
};
/** Read every hour: compliant except at 10 o'clock. */
const duringDay = (sees: ProtectionLook['sees']): ProtectionLook[] =>
  Array.from({ length: 24 }, (_, hour) => ({ hour, sees: hour === 10 ? sees : compliantRules }));
const weakProtection = (less: Partial<Rules>, ...reasons: string[]): Omit<Day, 'scenario'> => ({
  looks: duringDay({ ...compliantRules, ...less }),
  verdict: 'fail',
  reasons,
});

/** Every kind of day, by name, as on GitHub. */
export const dayScenarios: Readonly<Record<string, Omit<Day, 'scenario'>>> = {
  kept: { looks: duringDay(compliantRules), verdict: 'pass', reasons: ['protected_all_day'] },
  stricter: {
    looks: duringDay({ ...compliantRules, requiredReviews: 2 }),
    verdict: 'pass',
    reasons: ['protected_all_day'],
  },
  noReviews: weakProtection({ requiredReviews: 0 }, 'too_few_required_reviews'),
  staleStay: weakProtection({ dismissesStale: false }, 'stale_approvals_kept'),
  forcePush: weakProtection({ allowsForcePush: true }, 'force_push_allowed'),
  deletion: weakProtection({ allowsDeletion: true }, 'deletion_allowed'),
  noChecks: weakProtection({ requiredChecks: [] }, 'too_few_required_checks'),
  adminsFree: weakProtection({ includesAdmins: false, allowsDeletion: true }, 'admins_exempt', 'deletion_allowed'),
  unprotected: {
    looks: duringDay('unprotected'),
    verdict: 'fail',
    reasons: [
      ...['admins_exempt', 'deletion_allowed', 'force_push_allowed', 'stale_approvals_kept'],
      'too_few_required_checks',
      'too_few_required_reviews',
    ],
  },
  // Reading the protection is forbidden for an hour.
  forbidden: { looks: duringDay('forbidden'), verdict: 'missing_evidence', reasons: ['protection_incomplete'] },
  // The last snapshot of the day before is valid only until the next reading was due.
  silent: { looks: [], verdict: 'missing_evidence', reasons: ['protection_stale'] },
  // One reading of the day failed.
  oneReadingLost: {
    looks: duringDay(compliantRules).filter(({ hour }) => hour !== 15),
    verdict: 'missing_evidence',
    reasons: ['protection_stale'],
  },
};

/**
 * Days of a branch in order, determined by the seed: every kind at least once if the number of days permits. The first
 * day is compliant. `on`: the simulated code host.
 */
export const createDays = (seed: number, count: number, on: HostName = 'github'): Day[] => {
  const random = createRandom(seed + 4);
  const names = Object.keys(dayScenarios);
  const additional = Array.from({ length: Math.max(0, count - names.length - 1) }, () => random.pick(names));
  return ['kept', ...random.shuffle([...names, ...additional])].slice(0, count).map((scenario) => {
    const day = dayScenarios[scenario];
    if (day === undefined) throw new RangeError(`No day scenario is called ${scenario}.`);
    return { scenario, ...day, ...hostBehavior(on).days[scenario] };
  });
};
