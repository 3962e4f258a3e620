import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Rules } from '../git/model.ts';
import { rulesAt } from '../git/planted.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { findProject } from './access.ts';
import { type AzureDevops, projectIdOf, repositoryIdOf } from './collection.ts';
import { continued, listJson } from './paging.ts';
import { isBuildName, plantedOn } from './planted-checks.ts';
import { notFound } from './refusal.ts';
import { programIdOf, timeText } from './responses.ts';

const types = {
  minimumReviewers: { id: 'fa4e907d-c16b-4a4c-9dfa-4906e5d171dd', displayName: 'Minimum number of reviewers' },
  build: { id: '0609b952-1397-4640-95ec-e00a01b2c241', displayName: 'Build' },
  status: { id: 'cbdc66da-9728-4af8-aada-9a5a32e4a226', displayName: 'Status' },
  comments: { id: 'c6a1889d-b943-4856-b76f-9e46bb6b0df2', displayName: 'Comment requirements' },
  workItems: { id: '40e92b44-2fe1-4dd6-b3d8-74a9c21d0c6e', displayName: 'Work item linking' },
} as const;

type Evaluations = { Querystring: { artifactId?: string } };

/** Branch policies, and their evaluations for a pull request. */
export const policyRoutes = (server: FastifyInstance, azureDevops: AzureDevops): void => {
  server.get('/:project/_apis/policy/configurations', async (request, reply) => {
    const items = findProject(azureDevops, request).flatMap((one) => policiesOf(one));
    return listJson(continued(azureDevops, request, reply, { items }));
  });
  server.get<Evaluations>('/:project/_apis/policy/evaluations', async (request) => {
    const repositories = findProject(azureDevops, request as FastifyRequest);
    const [, project, number] =
      /^vstfs:\/\/\/CodeReview\/CodeReviewId\/([^/]+)\/(\d+)$/.exec(request.query.artifactId ?? '') ?? [];
    const found = repositories.flatMap((repository) => {
      const pull = repository.git.pullRequests.find((one) => String(one.number) === number);
      return pull === undefined || projectIdOf(repository) !== project ? [] : [{ repository, pull }];
    });
    const [first] = found;
    if (first === undefined) throw notFound('The artifact');
    return listJson(
      found.flatMap(({ repository, pull }) =>
        policiesOf(repository)
          .filter(({ type }) => type.id === types.build.id)
          .map((configuration) => {
            const name = String((configuration.settings as { displayName?: string }).displayName);
            const last = plantedOn(repository, pull.headSha).findLast(({ check }) => check.name === name)?.check;
            const isOver = last !== undefined && last.completedAt !== null;
            return {
              configuration,
              artifactId: request.query.artifactId,
              evaluationId: `${configuration.id}`,
              startedDate: timeText(last?.startedAt ?? pull.createdAt),
              ...(isOver && { completedDate: timeText(last.completedAt ?? 0) }),
              status: !isOver ? 'queued' : last.conclusion === 'success' ? 'approved' : 'rejected',
            };
          }),
      ),
    );
  });
};

/** The rules of the default branch as policies. */
const policiesOf = (repository: HostedRepository) => {
  const { git } = repository;
  const rules = rulesAt(git.planted.protections, git.defaultBranch, Date.now());
  if (rules === null) return [];
  const scope = [
    { repositoryId: repositoryIdOf(repository), refName: `refs/heads/${git.defaultBranch}`, matchKind: 'Exact' },
  ];
  return settingsOf(rules).map(({ type, settings }, index) => ({
    createdDate: '2020-01-01T00:00:00Z',
    isEnabled: true,
    isBlocking: true,
    isDeleted: false,
    isEnterpriseManaged: false,
    settings: { ...settings, scope },
    revision: 1,
    id: index + 1,
    type,
  }));
};

type PolicySetting = { type: { id: string; displayName: string }; settings: Record<string, unknown> };

const settingsOf = (rules: Rules): PolicySetting[] => [
  // Any policy prevents pushes without a pull request.
  { type: types.comments, settings: {} },
  ...(rules.requiredReviews === null || rules.requiredReviews === 0
    ? []
    : [
        {
          type: types.minimumReviewers,
          settings: {
            minimumApproverCount: rules.requiredReviews,
            creatorVoteCounts: false,
            allowDownvotes: false,
            resetOnSourcePush: rules.dismissesStale,
            requireVoteOnLastIteration: false,
            resetRejectionsOnSourcePush: false,
            blockLastPusherVote: false,
            requireVoteOnEachIteration: false,
          },
        },
      ]),
  ...rules.requiredChecks.map((name): PolicySetting => {
    if (isBuildName(name))
      return {
        type: types.build,
        settings: {
          buildDefinitionId: 5,
          displayName: name,
          validDuration: 0,
          queueOnSourceUpdateOnly: false,
          manualQueueOnly: false,
        },
      };
    const separator = name.lastIndexOf('/');
    const app = rules.checkApps?.[name];
    return {
      type: types.status,
      settings: {
        statusName: name.slice(separator + 1),
        statusGenre: separator > 0 ? name.slice(0, separator) : null,
        authorId: app === undefined ? null : programIdOf(app),
        invalidateOnSourceUpdate: true,
        defaultDisplayName: name,
        policyApplicability: 0,
      },
    };
  }),
];
