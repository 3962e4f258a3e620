import { domainsPath, type Mutation, mutation } from '../guard.ts';

const policyTests = 'domains/compliance/policies/routes.test.ts';

export const policiesGuards: readonly Mutation[] = [
  mutation(
    'requires a simulation before enforcing a policy',
    `${domainsPath}/compliance/policies/commands.ts`,
    "if (draft.mode === 'enforce') await checkTried(tx, orgId, simulationHash(draft, undefined));",
    '',
    policyTests,
  ),
  mutation(
    'requires a simulation of exactly the saved settings',
    `${domainsPath}/compliance/policies/commands.ts`,
    ".where('settings_hash', 'in', settingsHashes)",
    '',
    policyTests,
  ),
  mutation(
    'rejects an outdated simulation',
    `${domainsPath}/compliance/policies/commands.ts`,
    "'created_at', '>', sql<Date>",
    "'created_at', '<>', sql<Date>",
    policyTests,
  ),
  mutation(
    'rejects saving over a newer version of a policy',
    `${domainsPath}/compliance/policies/commands.ts`,
    'if (was.version !== version) throw',
    'if (was.version === -1) throw',
    policyTests,
  ),
  mutation(
    'rejects repositories of another organization in a policy',
    `${domainsPath}/compliance/policies/policy-rules.ts`,
    'if (known.length < uniqueIds.length) throw',
    'if (known.length < 0) throw',
    policyTests,
  ),
  mutation(
    'applies only the specific policy to a repository it names',
    `${domainsPath}/compliance/policies/effective.ts`,
    'const forAll = setting.filter(({ scope }) => scope.repositories === null);',
    'const forAll = setting;',
    policyTests,
  ),
  mutation(
    'sends no notification for violations from before the policy',
    `${domainsPath}/compliance/policies/notify-of-violations.ts`,
    '(!isFirst || (since !== null && since >= new Date(from)))',
    'true',
    policyTests,
  ),
];
