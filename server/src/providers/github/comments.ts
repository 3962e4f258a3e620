import { z } from 'zod';
import type { HostComments } from '#providers/code-host.ts';
import type { GithubApi } from './client.ts';
import { inRepositoryOf, readPages } from './reads.ts';
import { hostId } from './shapes.ts';

const comment = z.object({ id: hostId, body: z.string().nullish() });

/** Pull request comments, which are issue comments on GitHub. Need the permission to write pull requests. */
export function createComments(asInstallation: (id: string) => GithubApi): HostComments {
  const inRepository = inRepositoryOf(asInstallation);
  const list = '/repos/{owner}/{repo}/issues/{number}/comments';
  return {
    async findComment(ref, number, text) {
      for await (const { data } of readPages(inRepository(ref), `GET ${list}`, { number })) {
        const found = z
          .array(comment)
          .parse(data)
          .find(({ body }) => body?.includes(text));
        if (found) return found.id;
      }
      return undefined;
    },
    async writeComment(ref, number, body) {
      return comment.parse((await inRepository(ref)(`POST ${list}`, { number, body })).data).id;
    },
    async changeComment(ref, _number, id, body) {
      await inRepository(ref)('PATCH /repos/{owner}/{repo}/issues/comments/{id}', { id, body });
    },
  };
}
