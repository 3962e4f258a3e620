import { domainsPath, type Mutation, mutation } from '../guard.ts';

const policyTests = 'domains/compliance/policies/routes.test.ts';

export const policiesGuards: readonly Mutation[] = [
  mutation(
    'A policy that is enforced was tried',
    `${domainsPath}/compliance/policies/commands.ts`,
    "if (draft.mode === 'enforce') await checkTried(tx, actor.orgId, simulationHash(draft, undefined));",
    '',
    policyTests,
  ),
  mutation(
    'A dry run is of exactly what is saved',
    `${domainsPath}/compliance/policies/commands.ts`,
    ".where('settings_hash', 'in', settingsHashes)",
    '',
    policyTests,
  ),
  mutation(
    'A dry run grows old',
    `${domainsPath}/compliance/policies/commands.ts`,
    "'created_at', '>', sql<Date>",
    "'made_at', '<>', sql<Date>",
    policyTests,
  ),
  mutation(
    'Nobody overwrites a newer version of a policy',
    `${domainsPath}/compliance/policies/commands.ts`,
    'if (was.version !== version) throw',
    'if (was.version === -1) throw',
    policyTests,
  ),
  mutation(
    'A policy names no repository of others',
    `${domainsPath}/compliance/policies/policy-rules.ts`,
    'if (known.length < uniqueIds.length) throw',
    'if (known.length < 0) throw',
    policyTests,
  ),
  mutation(
    'A policy about a named repository decides there alone',
    `${domainsPath}/compliance/policies/effective.ts`,
    'const forAll = setting.filter(({ scope }) => scope.repositories === null);',
    'const forAll = setting;',
    policyTests,
  ),
  mutation(
    'What was broken before a policy is not told',
    `${domainsPath}/compliance/policies/notify-of-violations.ts`,
    '(!isFirst || (since !== null && since >= new Date(from)))',
    'true',
    policyTests,
  ),
];
