import { z } from 'zod';
import type { CodeHost, HostComments, HostStatus } from '#providers/code-host.ts';
import { readAllItems } from './paging.ts';
import { commitPath, pullRequestPath } from './paths.ts';
import { hostId } from './shapes.ts';
import type { DataCenterApi } from './transport.ts';

const comment = z.object({ id: hostId, version: z.number().int().default(0), text: z.string().nullish() });
const commented = z.object({ comment: comment.nullish() });

const states: Readonly<Record<HostStatus['state'], string>> = {
  success: 'SUCCESSFUL',
  failure: 'FAILED',
  pending: 'INPROGRESS',
};

/** Sets build statuses and writes comments, which needs the permission to read the repository. */
export const createPublishing = (api: DataCenterApi): Required<Pick<CodeHost, 'setStatus' | 'comments'>> => ({
  async setStatus(ref, sha, { state, context, description, url }) {
    // Required builds name the parent.
    const body = { state: states[state], key: context, parent: context, name: context, description, url };
    await api.json(`${commitPath(ref, sha)}/builds`, { method: 'POST', body });
  },
  comments: {
    async findComment(ref, number, text) {
      const { items } = await readAllItems(api, `${pullRequestPath(ref, number)}/activities`);
      const found = items.flatMap((json) => commented.parse(json).comment ?? []);
      return found.find((one) => one.text?.includes(text))?.id;
    },
    async writeComment(ref, number, text) {
      const path = `${pullRequestPath(ref, number)}/comments`;
      return comment.parse((await api.json(path, { method: 'POST', body: { text } })).data).id;
    },
    async changeComment(ref, number, id, text) {
      const path = `${pullRequestPath(ref, number)}/comments/${encodeURIComponent(id)}`;
      // A change names the version that it replaces.
      const { version } = comment.parse((await api.json(path)).data);
      await api.json(path, { method: 'PUT', body: { text, version } });
    },
  } satisfies HostComments,
});
