import type { FastifyInstance } from 'fastify';
import type { Rules } from '../git/model.ts';
import { rulesAt } from '../git/planted.ts';
import { accountNamed } from '../github/access.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { findAdministered, findRepository } from './access.ts';
import type { DataCenter } from './instance.ts';
import { paginate } from './paging.ts';
import { refJson, userJson } from './responses.ts';

type Restrictions = { Querystring: { type?: string } };

const names: Readonly<Record<string, string>> = { BRANCH: 'Branch', PATTERN: 'Pattern' };

/** Branch permissions, merge checks, required builds and hooks. */
export const protectionRoutes = (server: FastifyInstance, dataCenter: DataCenter): void => {
  server.get<Restrictions>('/branch-permissions/latest/projects/:key/repos/:slug/restrictions', async (request) => {
    const found = restrictionsOf(dataCenter, findAdministered(dataCenter, request));
    const { type } = request.query;
    return paginate(
      dataCenter,
      request,
      found.filter((one) => type === undefined || one.type === type),
    );
  });
  server.get('/api/latest/projects/:key/repos/:slug/settings/pull-requests', async (request) => {
    const rules = rulesOf(findRepository(dataCenter, request));
    const count = rules?.requiredReviews ?? 0;
    const strategy = { id: 'no-ff', name: 'Merge commit', enabled: true, flag: '--no-ff' };
    return {
      mergeConfig: { defaultStrategy: strategy, strategies: [strategy], type: 'repository', commitSummaries: 20 },
      requiredAllApprovers: false,
      requiredAllTasksComplete: false,
      requiredApprovers: { enable: count > 0, count },
      'com.atlassian.bitbucket.server.bundled-hooks.requiredApproversMergeHook': { enable: count > 0, count },
      requiredSuccessfulBuilds: { enable: false, count: 0 },
      'com.atlassian.bitbucket.server.bitbucket-build.requiredBuildsMergeCheck': { enable: false, count: 0 },
      needsWork: true,
      unapproveOnUpdate: rules?.dismissesStale ?? false,
    };
  });
  server.get('/required-builds/latest/projects/:key/repos/:slug/conditions', async (request) => {
    const repository = findRepository(dataCenter, request);
    const { requiredChecks = [] } = rulesOf(repository) ?? {};
    const condition = {
      id: 1,
      buildParentKeys: requiredChecks,
      refMatcher: branchMatcher(repository),
      exemptRefMatcher: null,
    };
    return paginate(dataCenter, request, requiredChecks.length > 0 ? [condition] : []);
  });
  server.get('/api/latest/projects/:key/repos/:slug/settings/hooks', async (request) => {
    findAdministered(dataCenter, request);
    const key = 'com.atlassian.bitbucket.server.bitbucket-bundled-hooks:force-push-hook';
    const details = {
      key,
      name: 'Reject Force Push',
      type: 'PRE_RECEIVE',
      description: '',
      version: '9.4.18',
      scopeTypes: ['PROJECT', 'REPOSITORY'],
    };
    return paginate(dataCenter, request, [
      { details, enabled: false, configured: false, scope: { type: 'REPOSITORY' } },
    ]);
  });
};

const rulesOf = ({ git }: HostedRepository): Rules | null =>
  rulesAt(git.planted.protections, git.defaultBranch, Date.now());

const branchMatcher = ({ git }: HostedRepository) => matcher(`refs/heads/${git.defaultBranch}`, 'BRANCH');

const matcher = (id: string, type: string) => ({
  id,
  displayId: refJson(id).displayId,
  type: { id: type, name: names[type] },
  active: true,
});

/**
 * The accounts that may push in spite of a rule are exempt from it. An exempt administrator stands for administrators whom
 * no rule binds.
 */
const exemptFrom = ({ bypassUsers = [], includesAdmins, allowsForcePush }: Rules): string[] => [
  ...bypassUsers,
  ...(includesAdmins ? [] : ['sandbox-admin']),
  ...(allowsForcePush ? ['sandbox-pusher'] : []),
];

const restrictionsOf = (dataCenter: DataCenter, repository: HostedRepository) => {
  const { git, id } = repository;
  const rules = rulesOf(repository);
  const scope = { type: 'REPOSITORY', resourceId: id };
  const none = { users: [] as ReturnType<typeof userJson>[], groups: [] as string[], accessKeys: [] as unknown[] };
  const onBranch = (type: string, exempt = none) => ({ type, matcher: branchMatcher(repository), ...exempt });
  const users = (rules ? exemptFrom(rules) : []).map((login) =>
    userJson(dataCenter, accountNamed(dataCenter.host, login)),
  );
  const found = [
    ...(rules && rules.requiredReviews !== null
      ? [onBranch('pull-request-only', { ...none, users, groups: rules.bypassTeams ?? [] })]
      : []),
    ...(rules && !rules.allowsForcePush ? [onBranch('fast-forward-only')] : []),
    ...(rules && !rules.allowsDeletion ? [onBranch('no-deletes')] : []),
    ...(git.planted.protectsTags ? [{ type: 'read-only', matcher: matcher('tags/**', 'PATTERN'), ...none }] : []),
  ];
  return found.map((one, index) => ({ id: index + 1, scope, ...one }));
};
