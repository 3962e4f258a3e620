import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Comment, change } from '../git/comments.ts';
import { resolveCommit } from '../git/repository.ts';
import { stableId, type User } from '../git/users.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { accessOf, findProject } from './access.ts';
import type { CommitStatus, GitlabInstance } from './instance.ts';
import { paginate } from './paging.ts';
import { commitStatusesOf, pipelineIdOf, pipelinesOn } from './pipelines.ts';
import { notFound, refuse } from './refusal.ts';
import { mergeRequestId, personJson, timeText } from './responses.ts';

type OfCommit = { Params: { sha: string } };
type NoteRoute = { Params: { iid: string; note: string }; Body: { body?: string } | undefined };
type StatusBody = { state?: string; name?: string; context?: string; description?: string; target_url?: string };

const states = ['pending', 'running', 'success', 'failed', 'canceled', 'skipped'];

/** Parses a status as GitLab accepts it. Throws GitLab's errors. */
const statusOf = ({ state = '', name, context, description, target_url: url }: StatusBody) => {
  if (!states.includes(state)) throw refuse(400, 'state does not have a valid value');
  if ((description ?? '').length > 255) throw refuse(400, 'Description is too long (maximum is 255 characters)');
  if (url !== undefined && !/^https?:\/\/./.test(url)) throw refuse(400, 'Target url is blocked');
  return { state, called: name ?? context ?? 'default', description: description ?? null, url: url ?? null };
};

/** Commit statuses, and notes on merge requests. Both require a token with the scope `api`. */
export const commentRoutes = (server: FastifyInstance, instance: GitlabInstance): void => {
  server.post<OfCommit & { Body: StatusBody | undefined }>('/projects/:id/statuses/:sha', async (request, reply) => {
    const repository = findProject(instance, request, 'api');
    const commit = /^[0-9a-f]{40}$/.test(request.params.sha) && resolveCommit(repository.git, request.params.sha);
    if (!commit) throw notFound('Commit');
    const { state, called, description, url } = statusOf(request.body ?? {});
    const [last] = commitStatusesOf(instance, repository, commit.sha).filter((one) => one.name === called);
    if (last?.state === state && (state === 'pending' || state === 'running')) {
      const event = state === 'pending' ? 'enqueue' : 'run';
      throw refuse(400, `Cannot transition status via :${event} from :${state} (Reason(s): Status cannot transition)`);
    }
    const status: CommitStatus = {
      id: instance.said.length + 1,
      projectId: repository.id,
      sha: commit.sha,
      name: called,
      state,
      description,
      url,
      at: Date.now(),
    };
    instance.said.push(status);
    return reply.code(201).send(saidJson(status));
  });
  server.get<OfCommit & { Querystring: { pipeline_id?: string } }>(
    '/projects/:id/repository/commits/:sha/statuses',
    async (request, reply) => {
      const repository = findProject(instance, request);
      const { sha } = resolveCommit(repository.git, request.params.sha) ?? {};
      if (sha === undefined) throw notFound('Commit');
      const { pipeline_id: pipelineId } = request.query;
      const [newest] = pipelinesOn(instance, repository, sha);
      const isOf = (id: number) => pipelineId === undefined || String(id) === pipelineId;
      const jobs = pipelinesOn(instance, repository, sha)
        .filter(({ base }) => base !== null)
        .filter((pipeline) => isOf(pipelineIdOf(repository, pipeline)))
        .map(({ base, sha: of, startedAt }) => ({
          id: stableId(`job:${of}:${base?.name}:${startedAt}`),
          sha: of,
          name: base?.name,
          status: base?.status,
          description: null,
          target_url: null,
          allow_failure: false,
          created_at: timeText(startedAt),
          finished_at: base?.finishedAt == null ? null : timeText(base.finishedAt),
        }));
      const ours =
        newest !== undefined && isOf(pipelineIdOf(repository, newest))
          ? commitStatusesOf(instance, repository, sha)
          : [];
      return paginate(request, reply, [...jobs, ...latest(ours).map(saidJson)]);
    },
  );

  const find = (request: FastifyRequest): { repository: HostedRepository; number: number; user: User } => {
    const repository = findProject(instance, request, 'api');
    const { user } = accessOf(instance, request, 'api');
    const { iid } = request.params as { iid: string };
    const pull = repository.git.pullRequests.find(({ number }) => String(number) === iid);
    if (pull === undefined) throw notFound('Merge Request');
    return { repository, number: pull.number, user };
  };
  server.post<NoteRoute>('/projects/:id/merge_requests/:iid/notes', async (request, reply) => {
    const { repository, number, user } = find(request);
    const by = { name: user.name, email: user.emails[0] ?? '' };
    const note = instance.comments.add({ repositoryId: repository.id, number, body: wordsIn(request.body), by });
    return reply.code(201).send(noteJson(instance, repository, note));
  });
  server.put<NoteRoute>('/projects/:id/merge_requests/:iid/notes/:note', async (request) => {
    const { repository, number } = find(request);
    const note = instance.comments.find(repository.id, request.params.note);
    if (note === undefined || note.number !== number) throw notFound('Note');
    return noteJson(instance, repository, change(note, wordsIn(request.body)));
  });
};

const wordsIn = (given: { body?: string } | undefined): string => {
  if (!given?.body) throw refuse(400, 'body is missing', { error: 'body is missing' });
  return given.body;
};

/** The last status of each name. */
const latest = (statuses: readonly CommitStatus[]): CommitStatus[] => [
  ...new Map(statuses.toReversed().map((one) => [one.name, one] as const)).values(),
];

const saidJson = ({ id, sha, name, state, description, url, at }: CommitStatus) => ({
  id,
  sha,
  name,
  status: state,
  description,
  target_url: url,
  allow_failure: false,
  created_at: timeText(at),
  finished_at: state === 'pending' || state === 'running' ? null : timeText(at),
});

export const noteJson = (instance: GitlabInstance, repository: HostedRepository, note: Comment) => ({
  id: note.id,
  type: null,
  body: note.body,
  attachment: null,
  author: personJson(instance, note.by),
  created_at: timeText(note.at),
  updated_at: timeText(note.changedAt),
  system: false,
  noteable_id: mergeRequestId(repository, { number: note.number }),
  noteable_type: 'MergeRequest',
  noteable_iid: note.number,
  project_id: repository.id,
  resolvable: false,
  internal: false,
});
