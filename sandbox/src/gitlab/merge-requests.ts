import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PullRequest } from '../git/pull-requests.ts';
import { stableId } from '../git/users.ts';
import type { HostedRepository } from '../github/host.ts';
import { pullRequestFiles } from '../github/shapes/pull-request.ts';
import { findProject } from './access.ts';
import type { Instance } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound } from './refusal.ts';
import { commitShape, mergeRequestShape, personShape, stateOf, timeShape } from './shapes.ts';

type Listed = {
  Querystring: {
    state?: string;
    order_by?: string;
    sort?: string;
    updated_after?: string;
    'iids[]'?: string | string[];
  };
};

/** Merge requests, what was said in them, and who approved them. */
export const mergeRequestRoutes = (server: FastifyInstance, instance: Instance): void => {
  server.get<Listed>('/projects/:id/merge_requests', async (request, reply) => {
    const repository = findProject(instance, request);
    const { state = 'all', order_by: order = 'created_at', sort = 'desc', updated_after: after } = request.query;
    const by = order === 'updated_at' ? 'updatedAt' : 'createdAt';
    const pulls = repository.git.pullRequests
      .filter((pull) => state === 'all' || stateOf(pull) === state)
      .filter((pull) => after === undefined || pull.updatedAt > Date.parse(after))
      .sort((one, other) => (other[by] - one[by] || other.number - one.number) * (sort === 'asc' ? -1 : 1));
    return paginate(request, reply, pulls).map((pull) => mergeRequestShape(instance, repository, pull));
  });
  server.get('/projects/:id/merge_requests/:iid', async (request) => {
    const { repository, pull } = find(instance, request);
    const files = await pullRequestFiles(repository, pull);
    return {
      ...mergeRequestShape(instance, repository, pull),
      ...{ changes_count: String(files.length), subscribed: false, merge_error: null },
      diff_refs: { base_sha: pull.baseSha, head_sha: pull.headSha, start_sha: pull.baseSha },
    };
  });
  server.get('/projects/:id/merge_requests/:iid/commits', async (request, reply) => {
    const { repository, pull } = find(instance, request);
    const commits = pull.commits.flatMap((sha) => repository.git.commits.get(sha) ?? []).reverse();
    return paginate(request, reply, commits).map((commit) => commitShape(instance, repository, commit));
  });
  server.get('/projects/:id/merge_requests/:iid/notes', async (request, reply) => {
    const { repository, pull } = find(instance, request);
    const notes = pull.reviews.map(({ reviewer, at }) => ({
      id: stableId(`note:${repository.id}:${pull.number}:${reviewer.email}`),
      ...{ type: null, body: 'approved this merge request', attachment: null, author: personShape(instance, reviewer) },
      ...{ created_at: timeShape(at), updated_at: timeShape(at), system: true, noteable_type: 'MergeRequest' },
      ...{ noteable_iid: pull.number, project_id: repository.id, resolvable: false, internal: false },
    }));
    return paginate(request, reply, notes);
  });
  server.get('/projects/:id/merge_requests/:iid/approvals', async (request) => {
    const { pull } = find(instance, request);
    const approvals = pull.reviews.map(({ reviewer, at }) => ({
      user: personShape(instance, reviewer),
      approved_at: timeShape(at),
    }));
    return { approved: approvals.length > 0, approved_by: approvals };
  });
};

const find = (instance: Instance, request: FastifyRequest): { repository: HostedRepository; pull: PullRequest } => {
  const repository = findProject(instance, request);
  const { iid } = request.params as { iid: string };
  const pull = repository.git.pullRequests.find(({ number }) => String(number) === iid);
  if (pull === undefined) throw notFound();
  return { repository, pull };
};
