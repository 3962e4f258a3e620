import type { FastifyInstance } from 'fastify';
import type { Protection, Rules } from '../git/model.ts';
import { rulesAt } from '../git/planted.ts';
import { stableId } from '../git/users.ts';
import { accountNamed, teamJson, teamsOf } from './access.ts';
import { fullName, type Host } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { paginate } from './paging.ts';
import { notFound, refuse } from './refusal.ts';
import { accountJson, nodeId, timeText } from './responses/account.ts';
import { findRepository } from './tokens.ts';

type BranchPathRoute = { Params: { '*': string } };

/** Rulesets, and their rules for a branch. */
export const protectionRoutes = (server: FastifyInstance, host: Host): void => {
  server.get<BranchPathRoute>('/repos/:owner/:repo/rules/branches/*', async (request, reply) => {
    const repository = findRepository(host, request);
    const { '*': branch } = request.params;
    const rules = rulesAt(repository.git.planted.rulesets, branch, Date.now());
    return paginate(request, reply, rules === null ? [] : rulesetRules(repository, branch, rules));
  });
  server.get('/repos/:owner/:repo/rulesets', async (request, reply) => {
    const repository = findRepository(host, request);
    const { rulesets, protectsTags } = repository.git.planted;
    const all = [
      ...[...rulesets.keys()].flatMap((branch) => rulesetJson(host, repository, branch) ?? []),
      ...(protectsTags ? [tagRulesetJson(host, repository)] : []),
    ];
    const { targets } = request.query as { targets?: string };
    return paginate(request, reply, targets ? all.filter(({ target }) => targets.split(',').includes(target)) : all);
  });
  server.get<{ Params: { id: string } }>('/repos/:owner/:repo/rulesets/:id', async (request) => {
    const repository = findRepository(host, request);
    if (repository.git.planted.protectsTags && request.params.id === String(tagRulesetId(repository))) {
      const rules = [{ type: 'deletion' }, { type: 'update' }];
      const conditions = { ref_name: { include: ['~ALL'], exclude: [] } };
      return { ...tagRulesetJson(host, repository), conditions, rules };
    }
    const branches = [...repository.git.planted.rulesets.keys()];
    const branch = branches.find((name) => String(rulesetId(repository, name)) === request.params.id);
    const json = branch === undefined ? undefined : rulesetJson(host, repository, branch);
    if (branch === undefined || json === undefined) throw notFound();
    const rules = rulesAt(repository.git.planted.rulesets, branch, Date.now());
    // Only callers with permission to change a ruleset see who may bypass it.
    const conditions = { ref_name: { include: [`refs/heads/${branch}`], exclude: [] } };
    return { ...json, conditions, rules: rules === null ? [] : rulesetRules(repository, branch, rules) };
  });
};

/** The protection of a branch as shown to administrators. Throws 404 without one. */
export const protectionJson = (host: Host, repository: HostedRepository, branch: string) => {
  const rules = rulesAt(repository.git.planted.protections, branch, Date.now());
  if (rules === null) throw refuse(404, 'Branch not protected');
  const url = `${host.api}/repos/${fullName(repository)}/branches/${branch}/protection`;
  const { requiredReviews, requiredChecks } = rules;
  return {
    url,
    ...(requiredChecks.length > 0 && {
      required_status_checks: {
        url: `${url}/required_status_checks`,
        strict: false,
        contexts: requiredChecks,
        contexts_url: `${url}/required_status_checks/contexts`,
        checks: checksJson(rules),
      },
    }),
    ...(requiredReviews !== null && {
      required_pull_request_reviews: {
        url: `${url}/required_pull_request_reviews`,
        dismiss_stale_reviews: rules.dismissesStale,
        require_code_owner_reviews: false,
        require_last_push_approval: false,
        required_approving_review_count: requiredReviews,
        ...bypassJson(host, repository, rules),
      },
    }),
    required_signatures: { url: `${url}/required_signatures`, enabled: false },
    enforce_admins: { url: `${url}/enforce_admins`, enabled: rules.includesAdmins },
    required_linear_history: { enabled: false },
    allow_force_pushes: { enabled: rules.allowsForcePush },
    allow_deletions: { enabled: rules.allowsDeletion },
    block_creations: { enabled: false },
    required_conversation_resolution: { enabled: false },
    lock_branch: { enabled: false },
    allow_fork_syncing: { enabled: false },
  };
};

const bypassJson = (host: Host, repository: HostedRepository, { bypassUsers = [], bypassTeams = [] }: Rules) =>
  bypassUsers.length + bypassTeams.length > 0 && {
    bypass_pull_request_allowances: {
      users: bypassUsers.map((login) => accountJson(host, accountNamed(host, login))),
      teams: teamsOf(host, repository.owner)
        .filter(({ slug }) => bypassTeams.includes(slug))
        .map((team) => teamJson(host, repository, team)),
      apps: [],
    },
  };

/** The protection as shown to readers: whether the branch is protected, and its required checks. */
export const branchProtectionJson = ({ git }: HostedRepository, branch: string) => {
  const rules = rulesAt(git.planted.protections, branch, Date.now());
  const checks = rules?.requiredChecks ?? [];
  const level = checks.length === 0 ? 'off' : rules?.includesAdmins ? 'everyone' : 'non_admins';
  return {
    enabled: rules !== null,
    required_status_checks: { enforcement_level: level, contexts: checks, checks: rules ? checksJson(rules) : [] },
  };
};

export const isProtected = ({ git: { planted } }: HostedRepository, branch: string): boolean =>
  [planted.protections, planted.rulesets].some((history) => rulesAt(history, branch, Date.now()) !== null);

/** The rule as in its webhook. */
export const protectionRuleJson = (
  repository: HostedRepository,
  branch: string,
  rules: Rules,
  history: Protection[],
) => {
  const on = (isOn: boolean): string => (isOn ? 'everyone' : 'off');
  const checks = rules.requiredChecks;
  return {
    id: stableId(`protection:${repository.id}:${branch}`),
    repository_id: repository.id,
    name: branch,
    created_at: timeText(history[0]?.at ?? 0),
    updated_at: timeText(history.at(-1)?.at ?? 0),
    pull_request_reviews_enforcement_level: rules.requiredReviews === null ? 'off' : on(true),
    required_approving_review_count: rules.requiredReviews ?? 0,
    dismiss_stale_reviews_on_push: rules.dismissesStale,
    require_code_owner_review: false,
    authorized_dismissal_actors_only: false,
    ignore_approvals_from_contributors: false,
    required_status_checks: checks,
    required_status_checks_enforcement_level: checks.length === 0 ? 'off' : 'everyone',
    strict_required_status_checks_policy: false,
    signature_requirement_enforcement_level: 'off',
    linear_history_requirement_enforcement_level: 'off',
    admin_enforced: rules.includesAdmins,
    allow_force_pushes_enforcement_level: on(rules.allowsForcePush),
    allow_deletions_enforcement_level: on(rules.allowsDeletion),
    merge_queue_enforcement_level: 'off',
    required_deployments_enforcement_level: 'off',
    required_conversation_resolution_level: 'off',
    authorized_actors_only: false,
    authorized_actor_names: [],
  };
};

/** A ruleset without its rules; undefined if deleted. */
export const rulesetJson = (host: Host, repository: HostedRepository, branch: string) => {
  const history = repository.git.planted.rulesets.get(branch) ?? [];
  if (rulesAt(repository.git.planted.rulesets, branch, Date.now()) === null) return undefined;
  const id = rulesetId(repository, branch);
  return {
    id,
    node_id: nodeId('RepositoryRuleset', id),
    name: `Rules of ${branch}`,
    target: 'branch',
    source_type: 'Repository',
    source: fullName(repository),
    enforcement: 'active',
    created_at: timeText(history[0]?.at ?? 0),
    updated_at: timeText(history.at(-1)?.at ?? 0),
    _links: { self: { href: `${host.api}/repos/${fullName(repository)}/rulesets/${id}` } },
  };
};

/** The ruleset that blocks that tags are moved or deleted, without its rules. */
const tagRulesetJson = (host: Host, repository: HostedRepository) => {
  const id = tagRulesetId(repository);
  return {
    id,
    node_id: nodeId('RepositoryRuleset', id),
    name: 'Rules of tags',
    target: 'tag',
    source_type: 'Repository',
    source: fullName(repository),
    enforcement: 'active',
    _links: { self: { href: `${host.api}/repos/${fullName(repository)}/rulesets/${id}` } },
  };
};

const tagRulesetId = ({ id }: HostedRepository): number => stableId(`ruleset:${id}:tags`);

const rulesetRules = (repository: HostedRepository, branch: string, rules: Rules) => {
  const source = {
    ruleset_source_type: 'Repository',
    ruleset_source: fullName(repository),
    ruleset_id: rulesetId(repository, branch),
  };
  const { requiredReviews, requiredChecks } = rules;
  const parameters = {
    required_approving_review_count: requiredReviews ?? 0,
    dismiss_stale_reviews_on_push: rules.dismissesStale,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_review_thread_resolution: false,
  };
  const checks = {
    strict_required_status_checks_policy: false,
    required_status_checks: requiredChecks.map((context) => ({ context, integration_id: rules.checkApps?.[context] })),
  };
  return [
    ...(rules.allowsDeletion ? [] : [{ type: 'deletion', ...source }]),
    ...(rules.allowsForcePush ? [] : [{ type: 'non_fast_forward', ...source }]),
    ...(requiredReviews === null ? [] : [{ type: 'pull_request', parameters, ...source }]),
    ...(requiredChecks.length === 0 ? [] : [{ type: 'required_status_checks', parameters: checks, ...source }]),
  ];
};

const rulesetId = ({ id }: HostedRepository, branch: string): number => stableId(`ruleset:${id}:${branch}`);

const checksJson = ({ requiredChecks, checkApps }: Rules) =>
  requiredChecks.map((context) => ({ context, app_id: checkApps?.[context] ?? null }));
