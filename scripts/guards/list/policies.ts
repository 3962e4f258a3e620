import { domainsPath, type Mutation, mutation } from '../guard.ts';

const policyTests = 'domains/compliance/policies/routes.test.ts';

const decisions = `${domainsPath}/compliance/policies/decide-change.ts`;
const changeTests = 'domains/compliance/policies/policy-changes.test.ts';

export const policiesGuards: readonly Mutation[] = [
  mutation(
    'publishes the result of agent policies on open pull requests',
    `${domainsPath}/compliance/changes/open-pull-request.ts`,
    "'AI-01': agentChangeRow(row),",
    '',
    'domains/compliance/policies/agent-policy.test.ts',
  ),
  mutation(
    'compares stored files with the patterns of a simulation',
    `${domainsPath}/compliance/policies/path-matches.ts`,
    'return Object.assign({}, row, { pathMatches: matchPaths([...new Set(patterns)], found) });',
    'return row;',
    'domains/compliance/policies/path-matches.test.ts',
  ),
  mutation(
    'holds back a change that weakens a control',
    `${domainsPath}/compliance/policies/commands.ts`,
    'weakened.length > 0 ?',
    'weakened.length < 0 ?',
    changeTests,
  ),
  mutation(
    'refuses the requester as the approver of a weakening',
    decisions,
    'if (isOwn && !(await isSoleApprover(tx, actor)))',
    'if (false)',
    changeTests,
  ),
  mutation(
    'refuses to approve a change of a policy that has another version',
    decisions,
    'if (outdated !== null) throw',
    'if (outdated === undefined) throw',
    changeTests,
  ),
  mutation(
    'refuses to approve the change of a former owner',
    decisions,
    'await requireCurrentOwner(tx, orgId, requestedBy.id);',
    '',
    changeTests,
  ),
  mutation(
    'decides about a change once',
    decisions,
    "if (change.state !== 'pending') throw",
    "if (change.state === 'withdrawn') throw",
    changeTests,
  ),
  mutation(
    'counts members who could approve recently',
    `${domainsPath}/organization/members/queries.ts`,
    ".where('later.at', '<=', since)",
    ".where('later.at', '>=', sql<Date>`'-infinity'`)",
    changeTests,
  ),
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
