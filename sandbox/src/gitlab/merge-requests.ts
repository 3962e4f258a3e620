import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pushesOf } from '../git/planted.ts';
import type { Person, PullRequest, PullRequestReview, ReviewRequest } from '../git/pull-request.ts';
import { approvalsOf } from '../git/pull-requests.ts';
import { stableId } from '../git/users.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { maybePullRequestFiles, pullRequestFiles } from '../github/responses/pull-request.ts';
import { findProject } from './access.ts';
import { noteJson } from './comment-routes.ts';
import type { GitlabInstance } from './instance.ts';
import { paginate } from './paging.ts';
import { pipelineJson, pipelinesOn } from './pipelines.ts';
import { notFound } from './refusal.ts';
import {
  commitJson,
  diffJson,
  ghost,
  mergeRequestId,
  mergeRequestJson,
  personJson,
  stateOf,
  timeText,
} from './responses.ts';

type MergeRequestListRoute = {
  Querystring: {
    state?: string;
    order_by?: string;
    sort?: string;
    updated_after?: string;
    'iids[]'?: string | string[];
  };
};

/** Merge requests, their notes and approvals. */
export const mergeRequestRoutes = (server: FastifyInstance, instance: GitlabInstance): void => {
  server.get<MergeRequestListRoute>('/projects/:id/merge_requests', async (request, reply) => {
    const repository = findProject(instance, request);
    const pulls = selected(repository, request.query);
    return paginate(request, reply, pulls).map((pull) => mergeRequestJson(instance, repository, pull));
  });
  server.get('/projects/:id/merge_requests/:iid', async (request) => {
    const { repository, pull } = find(instance, request);
    const files = await maybePullRequestFiles(repository, pull);
    return {
      ...mergeRequestJson(instance, repository, pull),
      changes_count: files === undefined ? null : String(files.length),
      subscribed: false,
      merge_error: null,
      diff_refs: { base_sha: pull.baseSha, head_sha: pull.headSha, start_sha: pull.baseSha },
    };
  });
  server.get('/projects/:id/merge_requests/:iid/commits', async (request, reply) => {
    const { repository, pull } = find(instance, request);
    const commits = pull.commits.flatMap((sha) => repository.git.commits.get(sha) ?? []).reverse();
    return paginate(request, reply, commits).map((commit) => commitJson(instance, repository, commit));
  });
  server.get('/projects/:id/merge_requests/:iid/diffs', async (request, reply) => {
    const { repository, pull } = find(instance, request);
    const files = await pullRequestFiles(repository, pull);
    return paginate(request, reply, files).map((file) => diffJson(file, ''));
  });
  server.get('/projects/:id/merge_requests/:iid/notes', async (request, reply) => {
    const { repository, pull } = find(instance, request);
    const notes = notesOf(pull).map(({ key, body, by, at }) => ({
      id: noteId(repository, pull.number, key),
      type: null,
      body,
      attachment: null,
      author: personJson(instance, by) ?? ghost(instance),
      created_at: timeText(at),
      updated_at: timeText(at),
      system: true,
      noteable_type: 'MergeRequest',
      noteable_iid: pull.number,
      project_id: repository.id,
      resolvable: false,
      internal: false,
    }));
    const written = instance.comments.of(repository.id, pull.number).filter(({ isDeleted }) => !isDeleted);
    return paginate(request, reply, [...notes, ...written.map((note) => noteJson(instance, repository, note))]);
  });
  server.get('/projects/:id/merge_requests/:iid/versions', async (request, reply) => {
    const { repository, pull } = find(instance, request);
    const heads = pushesOf(repository.git).filter(
      ({ ref, after }) => ref === `refs/heads/${pull.headRef}` && after !== null,
    );
    const versions = heads.reverse().map(({ after, at }) => ({
      id: stableId(`version:${repository.id}:${pull.number}:${after}`),
      head_commit_sha: after,
      base_commit_sha: pull.baseSha,
      start_commit_sha: pull.baseSha,
      created_at: timeText(at),
      merge_request_id: mergeRequestId(repository, pull),
      state: 'collected',
      real_size: '1',
      patch_id_sha: null,
    }));
    return paginate(request, reply, versions);
  });
  server.get('/projects/:id/merge_requests/:iid/closes_issues', async (request, reply) => {
    const { repository, pull } = find(instance, request);
    const issues = pull.linkedIssues.map((iid) => ({ id: iid, iid, project_id: repository.id, title: `Issue ${iid}` }));
    return paginate(request, reply, issues);
  });
  server.get('/projects/:id/merge_requests/:iid/pipelines', async (request, reply) => {
    const { repository, pull } = find(instance, request);
    const pipelines = pull.commits.flatMap((sha) => pipelinesOn(instance, repository, sha));
    return paginate(
      request,
      reply,
      pipelines.map((pipeline) => pipelineJson(instance, repository, pipeline)),
    );
  });
  server.get('/projects/:id/merge_requests/:iid/approvals', async (request) => {
    const { pull } = find(instance, request);
    const approvals = approvalsOf(pull)
      .filter((approval) => isLastWord(pull, approval))
      .map(({ reviewer, at }) => ({
        user: personJson(instance, reviewer),
        approved_at: timeText(at),
      }));
    return { approved: approvals.length > 0, approved_by: approvals };
  });
};

/** The merge requests that a query selects, in its order. */
const selected = (
  { git }: HostedRepository,
  {
    state = 'all',
    order_by: order = 'created_at',
    sort = 'desc',
    updated_after: after,
    'iids[]': iids,
  }: MergeRequestListRoute['Querystring'],
): PullRequest[] => {
  const by = order === 'updated_at' ? 'updatedAt' : 'createdAt';
  return git.pullRequests
    .filter((pull) => state === 'all' || stateOf(pull) === state)
    .filter((pull) => after === undefined || pull.updatedAt > Date.parse(after))
    .filter(({ number }) => iids === undefined || [iids].flat().includes(String(number)))
    .sort((one, other) => (other[by] - one[by] || other.number - one.number) * (sort === 'asc' ? -1 : 1));
};

/** The ID of the note about a review of a merge request. */
export const noteId = ({ id }: HostedRepository, number: number, key: string): number =>
  stableId(`note:${id}:${number}:${key}`);

/** Whether no later change request withdrew the approval, which creates no note. */
const isLastWord = ({ reviews }: PullRequest, { reviewer, at }: PullRequestReview): boolean =>
  !reviews.some(
    ({ reviewer: { email }, verdict, ...other }) =>
      email === reviewer.email && verdict === 'changes_requested' && other.at > at,
  );

/** System notes about reviews and merges, oldest first. A reset removes approvals without a note. */
const notesOf = (pull: PullRequest): { key: string; body: string; by: Person; at: number }[] => {
  const reviews = pull.reviews.flatMap(({ key, reviewer: by, verdict, at, dismissed }) => {
    const noteText = verdict === 'approved' ? 'approved this merge request' : 'requested changes';
    const dismissal = dismissed?.by.email === by.email ? dismissed : null;
    return [
      ...(verdict === 'commented' ? [] : [{ key, body: noteText, by, at }]),
      ...(dismissal ? [{ key: `${key}:gone`, body: 'unapproved this merge request', by, at: dismissal.at }] : []),
    ];
  });
  const requestNote = (what: string, { by, at }: ReviewRequest) => ({ key: what, body: what, by, at });
  const automatic = `enabled an automatic merge when all merge checks for ${pull.headSha} pass`;
  return [
    ...reviews,
    ...(pull.autoMerge ? [requestNote(automatic, pull.autoMerge)] : []),
    ...(pull.queued ? [requestNote('started a merge train', pull.queued)] : []),
  ].sort((one, other) => one.at - other.at);
};

const find = (
  instance: GitlabInstance,
  request: FastifyRequest,
): { repository: HostedRepository; pull: PullRequest } => {
  const repository = findProject(instance, request);
  const { iid } = request.params as { iid: string };
  const pull = repository.git.pullRequests.find(({ number }) => String(number) === iid);
  if (pull === undefined) throw notFound();
  return { repository, pull };
};
