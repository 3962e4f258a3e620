import { domainsPath, type Mutation, mutation } from '../guard.ts';

const triageTests = 'domains/vulnerabilities/triage/routes.test.ts';
const rescanTests = 'domains/vulnerabilities/triage/rescans.test.ts';

export const triageGuards: readonly Mutation[] = [
  {
    name: 'Whoever asked for an exception does not decide about it',
    file: `${domainsPath}/vulnerabilities/triage/exceptions.ts`,
    changes: [
      [
        'if (await isAccountOfActor(tx, actor, exception.requested_by)) {\n      throw Conflict',
        'if (exception.id === "") {\n      throw Conflict',
      ],
    ],
    tests: [triageTests],
  },
  mutation(
    'Another account of the same person is the same person',
    `${domainsPath}/organization/members/queries.ts`,
    '  if (found) return true;\n',
    '',
    triageTests,
  ),
  mutation(
    'An exception is decided once',
    `${domainsPath}/vulnerabilities/triage/exceptions.ts`,
    "if (state !== 'requested') throw",
    "if (state === '') throw",
    triageTests,
  ),
  mutation(
    'An exception ends in the future, and within half a year',
    `${domainsPath}/vulnerabilities/triage/exceptions.ts`,
    'if (!isValidWaiverEnd(until, new Date())) {',
    'if (Number.isNaN(until.getTime())) {',
    triageTests,
  ),
  mutation(
    'Only a secret is dismissed as rotated or revoked',
    `${domainsPath}/vulnerabilities/triage/commands.ts`,
    "if (category !== 'secret' && secretReasons",
    "if (category === '' && secretReasons",
    triageTests,
  ),
  mutation(
    'Only whoever asked takes a request back',
    `${domainsPath}/vulnerabilities/triage/exceptions.ts`,
    'if (!(await isAccountOfActor(tx, actor, exception.requested_by))) {',
    'if (exception.id === "") {',
    triageTests,
  ),
  mutation(
    'A decision counts by the role of the moment',
    `${domainsPath}/organization/members/queries.ts`,
    'roleId === undefined || !permissionScopeOf(roleId, permission)',
    'roleId === undefined',
    triageTests,
  ),
  mutation(
    'Who reaches own repositories only decides about no other',
    `${domainsPath}/vulnerabilities/triage/targets.ts`,
    ".$if(actor.reach('write:findings') === 'own' || !seesAllRepositories(actor),",
    '.$if(false,',
    triageTests,
  ),
  mutation(
    'Who reaches own repositories only may ask, and not decide',
    `${domainsPath}/vulnerabilities/triage/commands.ts`,
    "if (actor.reach('write:findings') !== 'all') {",
    "if (actor.reach('write:findings') === undefined) {",
    triageTests,
  ),
  mutation(
    'Exceptions of an archived organization do not end',
    `${domainsPath}/vulnerabilities/triage/jobs.ts`,
    'if (await withOrg(orgId, (tx) => isArchived(tx, orgId))) return;',
    '',
    'domains/vulnerabilities/triage/jobs.test.ts',
  ),
  {
    name: 'Findings of two repositories are never one',
    file: `${domainsPath}/vulnerabilities/triage/merge.ts`,
    changes: [['repositoryId !== survivor.repositoryId', 'repositoryId === ""']],
    tests: [rescanTests],
    only: 'merging',
  },
  {
    name: 'A split leaves something behind',
    file: `${domainsPath}/vulnerabilities/triage/split.ts`,
    changes: [['if (chosen.length === all.length) throw', 'if (all.length === 0) throw']],
    tests: [rescanTests],
    only: 'splitting',
  },
];
