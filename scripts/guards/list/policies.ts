import { domains, type Guard, guard } from '../guard.ts';

const policyTests = 'domains/compliance/policies/routes.test.ts';
const leaveTests = 'domains/vulnerabilities/exceptions/routes.test.ts';

export const policiesGuards: readonly Guard[] = [
  guard(
    'A policy that is enforced was tried',
    `${domains}/compliance/policies/commands.ts`,
    "if (wanted.mode === 'enforce') await checkTried(tx, actor.orgId, simulationHash(wanted, undefined));",
    '',
    policyTests,
  ),
  guard(
    'A dry run is of exactly what is saved',
    `${domains}/compliance/policies/commands.ts`,
    ".where('settings_hash', 'in', settingsHashes)",
    '',
    policyTests,
  ),
  guard(
    'A dry run grows old',
    `${domains}/compliance/policies/commands.ts`,
    "'created_at', '>', sql<Date>",
    "'made_at', '<>', sql<Date>",
    policyTests,
  ),
  guard(
    'Nobody overwrites a newer version of a policy',
    `${domains}/compliance/policies/commands.ts`,
    'if (was.version !== version) throw',
    'if (was.version === -1) throw',
    policyTests,
  ),
  guard(
    'A policy names no repository of others',
    `${domains}/compliance/policies/wanted.ts`,
    'if (known.length < wanted.length) throw',
    'if (known.length < 0) throw',
    policyTests,
  ),
  guard(
    'A policy about a named repository decides there alone',
    `${domains}/compliance/policies/effective.ts`,
    'const forAll = setting.filter(({ scope }) => scope.repositories === null);',
    'const forAll = setting;',
    policyTests,
  ),
  guard(
    'What was broken before a policy is not told',
    `${domains}/compliance/policies/notify-of-violations.ts`,
    '(!isFirst || (since !== null && since >= new Date(from)))',
    'true',
    policyTests,
  ),
  guard(
    'Whoever asked for leave from a control does not decide about it',
    `${domains}/vulnerabilities/exceptions/commands.ts`,
    'if (await isSelf(tx, actor, leave.requestedBy)) {',
    "if (leave.id === '') {",
    leaveTests,
  ),
  guard(
    'Leave from a control is decided once',
    `${domains}/vulnerabilities/exceptions/commands.ts`,
    "if (state !== 'requested') throw",
    "if (state === 'expired') throw",
    leaveTests,
  ),
  guard(
    'Leave from a control ends within half a year',
    `${domains}/vulnerabilities/exceptions/commands.ts`,
    'if (!isValidWaiverEnd(until, new Date())) {',
    'if (Number.isNaN(until.getTime())) {',
    leaveTests,
  ),
  guard(
    'Only whoever asked takes a request of leave back',
    `${domains}/vulnerabilities/exceptions/commands.ts`,
    'if (!isOwn) throw',
    "if (leave.id === '') throw",
    leaveTests,
  ),
  guard(
    'Contributors ask for leave in their own repositories alone',
    `${domains}/vulnerabilities/exceptions/commands.ts`,
    "query.where('r.repository_id', 'in', visibleTo(tx, actor).select('repository.id')),",
    'query,',
    leaveTests,
  ),
  guard(
    'Contributors see leave of their own repositories alone',
    `${domains}/vulnerabilities/exceptions/queries.ts`,
    "actor.reach(permission) !== 'own' && seesEveryHost(actor)",
    'actor.orgId !== permission',
    leaveTests,
  ),
];
