import { z } from 'zod';
import { type CodeHost, HostRefused } from '#providers/code-host.ts';
import type { HostRef } from '../host-facts.ts';
import { readAllPages, repositoryPathOf } from './reads.ts';
import { type BitbucketTransport, pathSegment } from './transport.ts';

const states = { success: 'SUCCESSFUL', failure: 'FAILED', pending: 'INPROGRESS' } as const;

const comment = z.object({
  id: z.number().int(),
  content: z.object({ raw: z.string() }),
  deleted: z.boolean().nullish(),
});

/** Commit statuses and pull request comments. The scope to read pull requests includes comments. */
export function createBitbucketComments(
  transport: BitbucketTransport,
): Required<Pick<CodeHost, 'setStatus' | 'comments'>> {
  const { json } = transport;
  const list = (ref: HostRef, number: number) => `${repositoryPathOf(ref)}/pullrequests/${number}/comments`;
  const one = (ref: HostRef, number: number, id: string) => `${list(ref, number)}/${pathSegment(id)}`;
  return {
    async setStatus(ref, sha, { state, context, description, url }) {
      const body = { key: context, name: context, state: states[state], description, url };
      await json(`${repositoryPathOf(ref)}/commit/${pathSegment(sha)}/statuses/build`, { method: 'POST', body });
    },
    comments: {
      async findComment(ref, number, text) {
        const { values } = await readAllPages(transport, list(ref, number), { pagelen: 100 });
        const found = values.map((value) => comment.parse(value));
        const ownComment = found.find(({ content, deleted }) => !deleted && content.raw.includes(text));
        return ownComment && String(ownComment.id);
      },
      async writeComment(ref, number, body) {
        const created = await json(list(ref, number), { method: 'POST', body: { content: { raw: body } } });
        return String(comment.parse(created).id);
      },
      async changeComment(ref, number, id, body) {
        const was = comment.parse(await json(one(ref, number, id)));
        // Bitbucket returns deleted comments and accepts invisible changes to them.
        if (was.deleted) throw new HostRefused(404, 'The comment was deleted');
        await json(one(ref, number, id), { method: 'PUT', body: { content: { raw: body } } });
      },
    },
  };
}
