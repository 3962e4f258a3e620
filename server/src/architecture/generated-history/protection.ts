import type { Rules } from '@sightline/sandbox/git/model.ts';
import { requiredCheck } from '@sightline/sandbox/planted/required-check.ts';
import type { GeneratedHistory } from './generated-history.ts';

/** The protection of the default branch during all generated changes. */
export const compliantRules: Rules = {
  requiredReviews: 1,
  dismissesStale: true,
  allowsForcePush: false,
  allowsDeletion: false,
  includesAdmins: true,
  requiredChecks: [requiredCheck],
};

/** Sets the protection of the default branch on the host. Null: unprotected. */
export const setProtection = ({ codeHost }: GeneratedHistory, rules: Rules | null): Promise<void> =>
  codeHost.sandbox.control('protect', { repository: 'acme/widgets', rules });
