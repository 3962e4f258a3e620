import { z } from 'zod';
import type { CodeHost, HostComments } from '#providers/code-host.ts';
import { readAllItems } from './paging.ts';
import { repositoryPath } from './reads.ts';
import { hostId } from './shapes.ts';
import type { GiteaApi } from './transport.ts';

const comment = z.object({ id: hostId, body: z.string() });

/** Sets commit statuses and writes comments, which needs the scopes to write repositories and issues. */
export const createPublishing = (api: GiteaApi): Required<Pick<CodeHost, 'setStatus' | 'comments'>> => ({
  async setStatus(ref, sha, { state, context, description, url }) {
    const body = { state, context, description, target_url: url };
    await api.json(`${repositoryPath(ref)}/statuses/${encodeURIComponent(sha)}`, { method: 'POST', body });
  },
  comments: {
    async findComment(ref, number, text) {
      const { items } = await readAllItems(api, `${repositoryPath(ref)}/issues/${number}/comments`);
      return items.map((json) => comment.parse(json)).find(({ body }) => body.includes(text))?.id;
    },
    async writeComment(ref, number, body) {
      const path = `${repositoryPath(ref)}/issues/${number}/comments`;
      return comment.parse((await api.json(path, { method: 'POST', body: { body } })).data).id;
    },
    async changeComment(ref, _number, id, body) {
      const path = `${repositoryPath(ref)}/issues/comments/${encodeURIComponent(id)}`;
      await api.json(path, { method: 'PATCH', body: { body } });
    },
  } satisfies HostComments,
});
