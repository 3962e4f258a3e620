import type { FastifyInstance } from 'fastify';
import type { Rules } from '../git/model.ts';
import { rulesAt } from '../git/planted.ts';
import { accountsOf } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { callerOf, findAdministered, findRepository } from './access.ts';
import type { Gitea } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound } from './refusal.ts';
import { organizationJson, repositoryJson, timeText, userJson } from './responses.ts';

type BranchRoute = { Params: { '*': string } };

/** The caller, organizations, repositories, branches and their protection. */
export const repositoryRoutes = (server: FastifyInstance, gitea: Gitea): void => {
  server.get('/version', async () => ({ version: gitea.isForgejo ? '12.0.1+gitea-1.22.0' : '1.24.3' }));
  server.get('/user', async (request) => userJson(gitea, callerOf(gitea, request, 'read:user').user));
  server.get('/user/orgs', async (request, reply) => {
    const owners = new Set(callerOf(gitea, request, 'read:organization').repositories.map(({ owner }) => owner.id));
    const found = accountsOf(gitea.host).filter(({ id, type }) => type === 'Organization' && owners.has(id));
    return paginate(gitea, request, reply, found).map((account) => organizationJson(gitea, account));
  });
  server.get<{ Querystring: { uid?: string } }>('/repos/search', async (request, reply) => {
    const { repositories } = callerOf(gitea, request, 'read:repository');
    const found = repositories
      .filter(({ owner }) => request.query.uid === undefined || String(owner.id) === request.query.uid)
      .toSorted((one, other) => one.id - other.id);
    return { ok: true, data: paginate(gitea, request, reply, found).map((one) => repositoryJson(gitea, one)) };
  });
  server.get('/repos/:owner/:repo', async (request) => repositoryJson(gitea, findRepository(gitea, request)));
  server.get<BranchRoute>('/repos/:owner/:repo/branches/*', async (request) => {
    const repository = findRepository(gitea, request);
    const name = request.params['*'];
    const sha = repository.git.refs.get(`refs/heads/${name}`);
    const commit = repository.git.commits.get(sha ?? '');
    if (commit === undefined) throw notFound();
    const rules = rulesOf(repository, name);
    return {
      name,
      commit: { id: commit.sha, message: commit.message, timestamp: commit.committer.date },
      protected: rules !== null,
      required_approvals: rules?.requiredReviews ?? 0,
      enable_status_check: (rules?.requiredChecks.length ?? 0) > 0,
      status_check_contexts: rules?.requiredChecks ?? [],
      user_can_push: true,
      user_can_merge: true,
      effective_branch_protection_name: rules !== null && gitea.areAdministrators ? name : '',
    };
  });
  server.get<BranchRoute>('/repos/:owner/:repo/branch_protections/*', async (request) => {
    const repository = findAdministered(gitea, request);
    const name = request.params['*'];
    const rules = rulesOf(repository, name);
    if (rules === null) throw notFound();
    return ruleJson(gitea, name, rules);
  });
  server.get('/repos/:owner/:repo/branch_protections', async (request) => {
    const repository = findAdministered(gitea, request);
    const { defaultBranch } = repository.git;
    const rules = rulesOf(repository, defaultBranch);
    return rules === null ? [] : [ruleJson(gitea, defaultBranch, rules)];
  });
  server.get('/repos/:owner/:repo/tag_protections', async (request) => {
    const { git } = findAdministered(gitea, request);
    if (!git.planted.protectsTags) return [];
    const at = timeText(git.startedAt);
    return [{ id: 1, name_pattern: '*', whitelist_usernames: [], whitelist_teams: [], created_at: at, updated_at: at }];
  });
};

const rulesOf = ({ git }: HostedRepository, branch: string): Rules | null =>
  rulesAt(git.planted.protections, branch, Date.now());

/** Rulesets of GitHub have no counterpart: a branch has one rule. */
const ruleJson = (gitea: Gitea, name: string, rules: Rules) => {
  const [users, teams] = [rules.bypassUsers ?? [], rules.bypassTeams ?? []];
  const isBound = rules.includesAdmins;
  return {
    branch_name: name,
    rule_name: name,
    priority: 1,
    enable_push: users.length + teams.length > 0 || rules.allowsForcePush,
    enable_push_whitelist: true,
    push_whitelist_usernames: rules.allowsForcePush ? [...users, 'sandbox-pusher'] : users,
    push_whitelist_teams: teams,
    push_whitelist_deploy_keys: false,
    // Forgejo has none of these.
    ...(!gitea.isForgejo && {
      enable_force_push: rules.allowsForcePush,
      enable_force_push_allowlist: false,
      force_push_allowlist_usernames: [],
      force_push_allowlist_teams: [],
      force_push_allowlist_deploy_keys: false,
      block_admin_merge_override: isBound,
    }),
    ...(gitea.isForgejo && { apply_to_admins: isBound }),
    enable_merge_whitelist: false,
    merge_whitelist_usernames: [],
    merge_whitelist_teams: [],
    enable_status_check: rules.requiredChecks.length > 0,
    status_check_contexts: rules.requiredChecks,
    required_approvals: rules.requiredReviews ?? 0,
    enable_approvals_whitelist: false,
    approvals_whitelist_username: [],
    approvals_whitelist_teams: [],
    block_on_rejected_reviews: true,
    block_on_official_review_requests: false,
    block_on_outdated_branch: false,
    dismiss_stale_approvals: rules.dismissesStale,
    ignore_stale_approvals: false,
    require_signed_commits: false,
    protected_file_patterns: '',
    unprotected_file_patterns: '',
    created_at: '2020-01-01T00:00:00Z',
    updated_at: '2020-01-01T00:00:00Z',
  };
};
