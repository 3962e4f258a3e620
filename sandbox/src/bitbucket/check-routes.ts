import type { FastifyInstance } from 'fastify';
import type { CommitCheck } from '../git/model.ts';
import { rulesAt } from '../git/planted.ts';
import { stableId } from '../git/users.ts';
import { accountNamed } from '../github/access.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { findRepository } from './access.ts';
import type { Bitbucket } from './bitbucket.ts';
import { commitStatusJson } from './comment-routes.ts';
import { commitNamed } from './commits.ts';
import { paginate } from './paging.ts';
import { timeText, userJson } from './responses/account.ts';
import { pullRequestJson } from './responses/pull-request.ts';
import { fullSlug } from './responses/repository.ts';

type OfCommit = { Params: { commit: string } };

/** Builds of commits, pull requests of commits, and branch restrictions. */
export const checkRoutes = (server: FastifyInstance, bitbucket: Bitbucket): void => {
  const root = '/repositories/:workspace/:slug';
  server.get<OfCommit>(`${root}/commit/:commit/statuses`, async (request) => {
    const repository = findRepository(bitbucket, request, 'repository');
    const { sha } = commitNamed(repository, request.params.commit);
    const checks = repository.git.planted.checks.filter((check) => check.sha === sha);
    const statuses = bitbucket.said.filter((one) => one.repositoryId === repository.id && one.sha === sha);
    const items = [
      ...checks.map((check) => statusJson(bitbucket, repository, check)),
      ...statuses.map((one) => commitStatusJson(bitbucket, repository, one)),
    ];
    return paginate(bitbucket, { request, items, toJson: (item) => item });
  });
  server.get<OfCommit>(`${root}/commit/:commit/pullrequests`, async (request) => {
    const repository = findRepository(bitbucket, request, 'pullrequest');
    const { sha } = commitNamed(repository, request.params.commit);
    const pulls = repository.git.pullRequests.filter(
      ({ mergeSha, landed, commits }) => mergeSha === sha || landed.includes(sha) || commits.includes(sha),
    );
    // Each item contains only its ID, and its own URL returns the rest.
    return paginate(bitbucket, {
      request,
      items: pulls,
      toJson: (pull) => {
        const { type, id, title, draft, links } = pullRequestJson(bitbucket, repository, pull);
        return { type, id, title, draft, links: { self: links.self, html: links.html } };
      },
    });
  });
  server.get(`${root}/branch-restrictions`, async (request) => {
    const repository = findRepository(bitbucket, request, 'repository:admin');
    return paginate(bitbucket, {
      request,
      items: restrictionsOf(bitbucket, repository),
      toJson: (restriction) => restriction,
    });
  });
};

const restrictionsOf = (bitbucket: Bitbucket, repository: HostedRepository): object[] => {
  const { protections } = repository.git.planted;
  return [...protections.keys()].flatMap((branch) => {
    const rules = rulesAt(protections, branch, Date.now());
    if (rules === null) return [];
    const restrict = (kind: string, value: number | null = null) => {
      const id = stableId(`restriction:${repository.id}:${branch}:${kind}`);
      const href = `${bitbucket.api}/repositories/${fullSlug(repository)}/branch-restrictions/${id}`;
      return {
        type: 'branchrestriction',
        id,
        kind,
        value,
        branch_match_kind: 'glob',
        pattern: branch,
        users: [],
        groups: [],
        links: { self: { href } },
      };
    };
    return [
      ...(rules.allowsForcePush ? [] : [restrict('force')]),
      ...(rules.allowsDeletion ? [] : [restrict('delete')]),
      ...(rules.requiredReviews === null ? [] : [restrict('require_approvals_to_merge', rules.requiredReviews)]),
      ...(rules.dismissesStale ? [restrict('reset_pullrequest_approvals_on_change')] : []),
      ...(rules.includesAdmins ? [restrict('enforce_merge_checks')] : []),
      ...(rules.bypassUsers
        ? [
            {
              ...restrict('push'),
              users: rules.bypassUsers.map((login) => userJson(bitbucket, accountNamed(bitbucket.host, login))),
            },
          ]
        : []),
      ...(rules.requiredChecks.length > 0
        ? [restrict('require_passing_builds_to_merge', rules.requiredChecks.length)]
        : []),
    ];
  });
};

const statusJson = (bitbucket: Bitbucket, repository: HostedRepository, check: CommitCheck) => {
  const self = `${bitbucket.api}/repositories/${fullSlug(repository)}/commit/${check.sha}/statuses/build/${check.name}`;
  return {
    type: 'build',
    key: check.name,
    name: check.name,
    description: '',
    refname: null,
    state: stateOf(check),
    url: `${bitbucket.url}/${fullSlug(repository)}/pipelines`,
    created_on: timeText(check.startedAt),
    updated_on: timeText(check.completedAt ?? check.startedAt),
    links: { self: { href: self } },
  };
};

const stateOf = ({ completedAt, conclusion }: CommitCheck): string => {
  if (completedAt === null) return 'INPROGRESS';
  if (conclusion === 'cancelled') return 'STOPPED';
  return conclusion === 'success' || conclusion === 'neutral' || conclusion === 'skipped' ? 'SUCCESSFUL' : 'FAILED';
};
