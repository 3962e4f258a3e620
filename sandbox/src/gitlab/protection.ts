import type { FastifyInstance, FastifyRequest } from 'fastify';
import { rulesAt } from '../git/planted.ts';
import { stableId } from '../git/users.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { findProject } from './access.ts';
import type { GitlabInstance } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound, refuse } from './refusal.ts';

/** Branch protection and merge request approval rules, which only maintainers may read. */
export const protectionRoutes = (server: FastifyInstance, instance: GitlabInstance): void => {
  const findAs = (request: FastifyRequest): HostedRepository => {
    const repository = findProject(instance, request);
    if (!instance.areMaintainers) throw refuse(403, '403 Forbidden');
    return repository;
  };
  const rulesOf = ({ git }: HostedRepository, branch = git.defaultBranch) =>
    rulesAt(git.planted.protections, branch, Date.now());

  server.get<{ Params: { name: string } }>('/projects/:id/protected_branches/:name', async (request) => {
    const repository = findAs(request);
    const { name } = request.params;
    const rules = rulesOf(repository, name);
    if (rules === null) throw notFound();
    const level = (access_level: number, access_level_description: string) => ({
      id: stableId(`level:${repository.id}:${name}:${access_level}`),
      access_level,
      access_level_description,
      user_id: null,
      group_id: null,
    });
    return {
      id: stableId(`protected:${repository.id}:${name}`),
      name,
      push_access_levels: [rules.includesAdmins ? level(0, 'No one') : level(40, 'Maintainers')],
      merge_access_levels: [level(40, 'Maintainers')],
      allow_force_push: rules.allowsForcePush,
      unprotect_access_levels: [],
      code_owner_approval_required: false,
      inherited: false,
    };
  });
  server.get('/projects/:id/approvals', async (request) => {
    const rules = rulesOf(findAs(request));
    return {
      approvals_before_merge: rules?.requiredReviews ?? 0,
      reset_approvals_on_push: rules?.dismissesStale ?? false,
      selective_code_owner_removals: false,
      disable_overriding_approvers_per_merge_request: true,
      merge_requests_author_approval: false,
      merge_requests_disable_committers_approval: false,
      require_reauthentication_to_approve: false,
    };
  });
  server.get('/projects/:id/approval_rules', async (request, reply) => {
    const repository = findAs(request);
    const required = rulesOf(repository)?.requiredReviews ?? 0;
    const rule = {
      id: stableId(`approval-rule:${repository.id}`),
      name: 'All Members',
      rule_type: 'any_approver',
      eligible_approvers: [],
      approvals_required: required,
      users: [],
      groups: [],
      protected_branches: [],
      contains_hidden_groups: false,
      applies_to_all_protected_branches: false,
      report_type: null,
    };
    return paginate(request, reply, [rule]);
  });
};
