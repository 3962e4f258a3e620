import { z } from 'zod';
import type { CodeHost, HostStatus } from '#providers/code-host.ts';
import type { HostRef } from '../host-facts.ts';
import { queryPullRequests } from './origins.ts';
import { isActive } from './pull-request-shapes.ts';
import { readIterations, repositoryPath } from './reads.ts';
import { list } from './shapes.ts';
import type { AzureDevopsApi } from './transport.ts';

const comment = z.object({ id: z.number().int(), content: z.string().nullish(), isDeleted: z.boolean().nullish() });
const thread = z.object({ id: z.number().int(), comments: z.array(comment).nullish() });

const states = { success: 'succeeded', failure: 'failed', pending: 'pending' } as const;

/** Sets statuses and writes comments, which needs the scopes to write code, statuses and threads of pull requests. */
export const createPublishing = (api: AzureDevopsApi): Required<Pick<CodeHost, 'setStatus' | 'comments'>> => ({
  async setStatus(ref, sha, status) {
    const body = bodyOf(status);
    await api.json(`${repositoryPath(ref)}/commits/${encodeURIComponent(sha)}/statuses`, { method: 'POST', body });
    // Policies require statuses of pull requests, not of commits.
    for (const { pullRequestId, iterationId } of await openVersions(api, ref, sha)) {
      const path = `${repositoryPath(ref)}/pullRequests/${pullRequestId}/statuses`;
      await api.json(path, { method: 'POST', body: { ...body, iterationId } });
    }
  },
  comments: {
    async findComment(ref, number, text) {
      const { data } = await api.json(threadsPath(ref, number));
      for (const one of list.parse(data).map((json) => thread.parse(json))) {
        const found = one.comments?.find(({ content, isDeleted }) => !isDeleted && content?.includes(text));
        if (found) return `${one.id}/${found.id}`;
      }
      return undefined;
    },
    async writeComment(ref, number, body) {
      const content = { comments: [{ parentCommentId: 0, content: body, commentType: 1 }], status: 'closed' };
      const created = thread.parse((await api.json(threadsPath(ref, number), { method: 'POST', body: content })).data);
      return `${created.id}/${created.comments?.[0]?.id ?? 1}`;
    },
    async changeComment(ref, number, id, body) {
      const [threadId = '', commentId = ''] = id.split('/');
      const path = `${threadsPath(ref, number)}/${encodeURIComponent(threadId)}/comments/${encodeURIComponent(commentId)}`;
      await api.json(path, { method: 'PATCH', body: { content: body } });
    },
  },
});

const threadsPath = (ref: HostRef, number: number): string => `${repositoryPath(ref)}/pullRequests/${number}/threads`;

function bodyOf({ state, context, description, url }: HostStatus) {
  const separator = context.lastIndexOf('/');
  const [genre, name] = [context.slice(0, Math.max(separator, 0)), context.slice(separator + 1)];
  return { state: states[state], description, targetUrl: url, context: { name, ...(genre !== '' && { genre }) } };
}

/** The versions of active pull requests with this head. */
async function openVersions(api: AzureDevopsApi, ref: HostRef, sha: string) {
  const { containing } = await queryPullRequests(api, ref, sha);
  const found: { pullRequestId: number; iterationId: number }[] = [];
  for (const pull of containing) {
    if (!isActive(pull) || pull.lastMergeSourceCommit?.commitId !== sha) continue;
    const version = (await readIterations(api, ref, pull.pullRequestId)).findLast(
      ({ sourceRefCommit }) => sourceRefCommit?.commitId === sha,
    );
    if (version) found.push({ pullRequestId: pull.pullRequestId, iterationId: version.id });
  }
  return found;
}
