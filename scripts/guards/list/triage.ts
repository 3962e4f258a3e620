import { domainsPath, type Mutation, mutation } from '../guard.ts';

const triageTests = 'domains/vulnerabilities/triage/routes.test.ts';
const findingWaiverTests = 'domains/vulnerabilities/waivers/finding-waivers.test.ts';
const waiverTests = ['domains/vulnerabilities/waivers/routes.test.ts', findingWaiverTests] as const;
const rescanTests = 'domains/vulnerabilities/triage/rescans.test.ts';

export const triageGuards: readonly Mutation[] = [
  mutation(
    'A requester does not decide about their own waiver',
    `${domainsPath}/vulnerabilities/waivers/commands.ts`,
    'if (await isAccountOfActor(tx, actor, waiver.requestedBy)) {',
    "if (waiver.id === '') {",
    ...waiverTests,
  ),
  mutation(
    'Another account of the same person is the same person',
    `${domainsPath}/organization/members/queries.ts`,
    '  if (found) return true;\n',
    '',
    findingWaiverTests,
  ),
  mutation(
    'A waiver is decided once',
    `${domainsPath}/vulnerabilities/waivers/commands.ts`,
    "if (state !== 'requested') throw",
    "if (state === 'expired') throw",
    ...waiverTests,
  ),
  mutation(
    'A waiver ends in the future, and within half a year',
    `${domainsPath}/vulnerabilities/waivers/commands.ts`,
    'if (!isValidWaiverEnd(until, new Date())) {',
    'if (Number.isNaN(until.getTime())) {',
    ...waiverTests,
  ),
  mutation(
    'Only a secret is dismissed as rotated or revoked',
    `${domainsPath}/vulnerabilities/triage/dismissals.ts`,
    "if (category !== 'secret' && secretReasons",
    "if (category === '' && secretReasons",
    triageTests,
  ),
  mutation(
    'Only the requester withdraws a request',
    `${domainsPath}/vulnerabilities/waivers/commands.ts`,
    'if (!isOwn) throw',
    "if (waiver.id === '') throw",
    ...waiverTests,
  ),
  mutation(
    'Only the requester and approvers revoke an active waiver',
    `${domainsPath}/vulnerabilities/waivers/commands.ts`,
    "if (isActive && !isOwn && actor.reach('approve:exceptions') === undefined) {",
    "if (waiver.id === '') {",
    findingWaiverTests,
  ),
  mutation(
    'A waiver of a finding does not exist while the feature is disabled',
    `${domainsPath}/vulnerabilities/waivers/commands.ts`,
    '(withFindings ? await lockFindingWaiver(tx, actor, id) : undefined)',
    '(await lockFindingWaiver(tx, actor, id))',
    findingWaiverTests,
  ),
  mutation(
    'A decision counts by the role of the moment',
    `${domainsPath}/organization/members/queries.ts`,
    'roleId === undefined || !permissionScopeOf(roleId, permission)',
    'roleId === undefined',
    findingWaiverTests,
  ),
  mutation(
    'Who reaches own repositories only decides about no other',
    `${domainsPath}/vulnerabilities/triage/queries.ts`,
    ".$if(actor.reach('write:findings') === 'own' || !seesAllRepositories(actor),",
    '.$if(false,',
    findingWaiverTests,
  ),
  mutation(
    'Who reaches own repositories only may ask, and not decide',
    `${domainsPath}/vulnerabilities/triage/commands.ts`,
    "if (actor.reach('write:findings') !== 'all') {",
    "if (actor.reach('write:findings') === undefined) {",
    triageTests,
  ),
  mutation(
    'Waivers of an archived organization do not expire',
    `${domainsPath}/vulnerabilities/waivers/jobs.ts`,
    'if (await withOrg(orgId, (tx) => isArchived(tx, orgId))) return;',
    '',
    'domains/vulnerabilities/waivers/jobs.test.ts',
  ),
  mutation(
    'Contributors request waivers of controls in their own repositories only',
    `${domainsPath}/vulnerabilities/waivers/control-waivers.ts`,
    "query.where('r.repository_id', 'in', visibleRepositories(tx, actor).select('repository.id')),",
    'query,',
    waiverTests[0],
  ),
  mutation(
    'Contributors see waivers of their own repositories only',
    `${domainsPath}/vulnerabilities/waivers/queries.ts`,
    "actor.reach(permission) !== 'own' && seesAllRepositories(actor)",
    'actor.orgId !== permission',
    waiverTests[0],
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
