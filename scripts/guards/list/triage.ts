import { domains, type Guard, guard } from '../guard.ts';

const triageTests = 'domains/vulnerabilities/triage/routes.test.ts';
const rescanTests = 'domains/vulnerabilities/triage/rescans.test.ts';

export const triageGuards: readonly Guard[] = [
  {
    name: 'Whoever asked for an exception does not decide about it',
    file: `${domains}/vulnerabilities/triage/exceptions.ts`,
    changes: [
      [
        'if (await isSelf(tx, actor, exception.requested_by)) {\n      throw Conflict',
        'if (exception.id === "") {\n      throw Conflict',
      ],
    ],
    tests: [triageTests],
  },
  guard(
    'Another account of the same person is the same person',
    `${domains}/organization/members/queries.ts`,
    '  if (found) return true;\n',
    '',
    triageTests,
  ),
  guard(
    'An exception is decided once',
    `${domains}/vulnerabilities/triage/exceptions.ts`,
    "if (state !== 'requested') throw",
    "if (state === '') throw",
    triageTests,
  ),
  guard(
    'An exception ends in the future, and within half a year',
    `${domains}/vulnerabilities/triage/exceptions.ts`,
    'if (!isValidWaiverEnd(until, new Date())) {',
    'if (Number.isNaN(until.getTime())) {',
    triageTests,
  ),
  guard(
    'Only a secret is dismissed as rotated or revoked',
    `${domains}/vulnerabilities/triage/commands.ts`,
    "if (category !== 'secret' && secretReasons",
    "if (category === '' && secretReasons",
    triageTests,
  ),
  guard(
    'Only whoever asked takes a request back',
    `${domains}/vulnerabilities/triage/exceptions.ts`,
    'if (!(await isSelf(tx, actor, exception.requested_by))) {',
    'if (exception.id === "") {',
    triageTests,
  ),
  guard(
    'A decision counts by the role of the moment',
    `${domains}/organization/members/queries.ts`,
    'roleId === undefined || !permissionScopeOf(roleId, permission)',
    'roleId === undefined',
    triageTests,
  ),
  guard(
    'Who reaches own repositories only decides about no other',
    `${domains}/vulnerabilities/triage/targets.ts`,
    ".$if(actor.reach('write:findings') === 'own' || !seesEveryHost(actor),",
    '.$if(false,',
    triageTests,
  ),
  guard(
    'Who reaches own repositories only may ask, and not decide',
    `${domains}/vulnerabilities/triage/commands.ts`,
    "if (actor.reach('write:findings') !== 'all') {",
    "if (actor.reach('write:findings') === undefined) {",
    triageTests,
  ),
  guard(
    'Exceptions of an archived organization do not end',
    `${domains}/vulnerabilities/triage/jobs.ts`,
    'if (await withOrg(orgId, (tx) => isArchived(tx, orgId))) return;',
    '',
    'domains/vulnerabilities/triage/jobs.test.ts',
  ),
  {
    name: 'Findings of two repositories are never one',
    file: `${domains}/vulnerabilities/triage/merge.ts`,
    changes: [['repositoryId !== survivor.repositoryId', 'repositoryId === ""']],
    tests: [rescanTests],
    only: 'merging',
  },
  {
    name: 'A split leaves something behind',
    file: `${domains}/vulnerabilities/triage/split.ts`,
    changes: [['if (chosen.length === all.length) throw', 'if (all.length === 0) throw']],
    tests: [rescanTests],
    only: 'splitting',
  },
];
