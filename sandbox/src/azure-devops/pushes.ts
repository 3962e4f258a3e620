import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ahead, reachable } from '../git/graph.ts';
import type { Push, Repository } from '../git/model.ts';
import { pushesOf } from '../git/planted.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { findRepository } from './access.ts';
import type { AzureDevops } from './collection.ts';
import { listJson, skipped } from './paging.ts';
import { notFound } from './refusal.ts';
import { personJson, repositoryApi, repositoryJson, timeText, zeros } from './responses.ts';

type NumberedPush = Push & { pushId: number };

const path = '/:project/_apis/git/repositories/:repo/pushes';

/** Pushes, newest first. A completed pull request is one like others. */
export const pushRoutes = (server: FastifyInstance, azureDevops: AzureDevops): void => {
  server.get(path, async (request) => {
    const repository = findRepository(azureDevops, request);
    const query = request.query as Record<string, string | undefined>;
    const [ref, from] = [query['searchCriteria.refName'], query['searchCriteria.fromDate']];
    const hasUpdates = query['searchCriteria.includeRefUpdates'] === 'true';
    const found = numbered(repository.git)
      .filter((push) => (ref === undefined || push.ref === ref) && (from === undefined || push.at >= Date.parse(from)))
      .toReversed();
    return listJson(
      skipped(azureDevops, request, found).map((push) => ({
        ...(hasUpdates && { refUpdates: [updateJson(push)] }),
        repository: repositoryJson(azureDevops, repository),
        ...pushJson(azureDevops, repository, push),
      })),
    );
  });
  server.get<{ Params: { id: string } }>(`${path}/:id`, async (request) => {
    const repository = findRepository(azureDevops, request as FastifyRequest);
    const push = numbered(repository.git).find(({ pushId }) => String(pushId) === request.params.id);
    if (push === undefined) throw notFound('The push');
    return { refUpdates: [updateJson(push)], ...pushJson(azureDevops, repository, push) };
  });
};

const numbered = (git: Repository): NumberedPush[] =>
  pushesOf(git).map((push, index) => ({ ...push, pushId: index + 1 }));

const updateJson = ({ ref, before, after }: Push) => ({
  name: ref,
  oldObjectId: before ?? zeros,
  newObjectId: after ?? zeros,
});

export const pushJson = (azureDevops: AzureDevops, repository: HostedRepository, push: NumberedPush) => ({
  pushedBy: personJson(azureDevops, push.by ?? { name: 'unknown', email: '' }),
  pushId: push.pushId,
  date: timeText(push.at),
  url: `${repositoryApi(azureDevops, repository)}/pushes/${push.pushId}`,
});

/** The first push with a commit. */
export const introducedBy = (git: Repository, sha: string): NumberedPush | undefined =>
  numbered(git).find(({ before, after }) => {
    if (after === null) return false;
    if (after === sha) return true;
    const known = before === null ? new Set<string>() : reachable(git.commits, [before]);
    return !known.has(sha) && ahead(git.commits, after, known).some((one) => one.sha === sha);
  });
