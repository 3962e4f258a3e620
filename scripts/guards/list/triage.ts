import { domainsPath, type Mutation, mutation } from '../guard.ts';

const triageTests = 'domains/vulnerabilities/triage/routes.test.ts';
const findingWaiverTests = 'domains/vulnerabilities/waivers/finding-waivers.test.ts';
const waiverTests = ['domains/vulnerabilities/waivers/routes.test.ts', findingWaiverTests] as const;
const rescanTests = 'domains/vulnerabilities/triage/rescans.test.ts';

export const triageGuards: readonly Mutation[] = [
  mutation(
    'rejects decisions of requesters on their own waivers',
    `${domainsPath}/vulnerabilities/waivers/commands.ts`,
    'if (await isAccountOfActor(tx, actor, waiver.requestedBy)) {',
    "if (waiver.id === '') {",
    ...waiverTests,
  ),
  mutation(
    'recognizes other accounts of the same person',
    `${domainsPath}/organization/members/queries.ts`,
    '  if (found) return true;\n',
    '',
    findingWaiverTests,
  ),
  mutation(
    'accepts one decision per waiver',
    `${domainsPath}/vulnerabilities/waivers/commands.ts`,
    "if (state !== 'requested') throw",
    "if (state === 'expired') throw",
    ...waiverTests,
  ),
  mutation(
    'requires the end of a waiver within half a year',
    `${domainsPath}/vulnerabilities/waivers/commands.ts`,
    'if (!isValidWaiverEnd(until, new Date())) {',
    'if (Number.isNaN(until.getTime())) {',
    ...waiverTests,
  ),
  mutation(
    'accepts rotated and revoked as reasons for secrets only',
    `${domainsPath}/vulnerabilities/triage/dismissals.ts`,
    "if (category !== 'secret' && secretReasons",
    "if (category === '' && secretReasons",
    triageTests,
  ),
  mutation(
    'lets only the requester withdraw a request',
    `${domainsPath}/vulnerabilities/waivers/commands.ts`,
    'if (!isOwn) throw',
    "if (waiver.id === '') throw",
    ...waiverTests,
  ),
  mutation(
    'lets only the requester and approvers revoke an active waiver',
    `${domainsPath}/vulnerabilities/waivers/commands.ts`,
    "if (isActive && !isOwn && actor.reach('approve:exceptions') === undefined) {",
    "if (waiver.id === '') {",
    findingWaiverTests,
  ),
  mutation(
    'hides waivers of findings while their feature is disabled',
    `${domainsPath}/vulnerabilities/waivers/commands.ts`,
    '(withFindings ? await lockFindingWaiver(tx, actor, id) : undefined)',
    '(await lockFindingWaiver(tx, actor, id))',
    findingWaiverTests,
  ),
  mutation(
    'checks the current role of the decider',
    `${domainsPath}/organization/members/queries.ts`,
    'roleId === undefined || !permissionScopeOf(roleId, permission)',
    'roleId === undefined',
    findingWaiverTests,
  ),
  mutation(
    'restricts triage to the repositories of members with limited access',
    `${domainsPath}/vulnerabilities/triage/queries.ts`,
    '.$if(isLimited === true,',
    '.$if(false,',
    findingWaiverTests,
  ),
  mutation(
    'lets members with limited access request but not decide',
    `${domainsPath}/vulnerabilities/triage/commands.ts`,
    "if (actor.reach('write:findings') !== 'all') {",
    "if (actor.reach('write:findings') === undefined) {",
    triageTests,
  ),
  mutation(
    'does not expire waivers of an archived organization',
    `${domainsPath}/vulnerabilities/waivers/jobs.ts`,
    'if (await withOrg(orgId, (tx) => isArchived(tx, orgId))) return;',
    '',
    'domains/vulnerabilities/waivers/jobs.test.ts',
  ),
  mutation(
    "restricts waivers of controls to the requester's own repositories",
    `${domainsPath}/vulnerabilities/waivers/control-waivers.ts`,
    "query.where('r.repository_id', 'in', visibleRepositories(tx, actor).select('repository.id')),",
    'query,',
    waiverTests[0],
  ),
  mutation(
    "restricts waivers to the reader's own repositories",
    `${domainsPath}/vulnerabilities/waivers/queries.ts`,
    "actor.reach(permission) !== 'own' && seesAllRepositories(actor)",
    'actor.orgId !== permission',
    waiverTests[0],
  ),
  {
    name: 'rejects merging findings of two repositories',
    file: `${domainsPath}/vulnerabilities/triage/merge.ts`,
    changes: [['repositoryId !== survivor.repositoryId', 'repositoryId === ""']],
    tests: [rescanTests],
    only: 'merging',
  },
  {
    name: 'rejects a split without a remaining source',
    file: `${domainsPath}/vulnerabilities/triage/split.ts`,
    changes: [['if (chosen.length === all.length) throw', 'if (all.length === 0) throw']],
    tests: [rescanTests],
    only: 'splitting',
  },
];
