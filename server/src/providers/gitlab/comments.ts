import { z } from 'zod';
import { type CodeHost, type HostComments, HostRefused } from '#providers/code-host.ts';
import { readAllItems } from './paging.ts';
import { projectOf } from './reads.ts';
import { hostId } from './shapes.ts';
import type { GitlabApi } from './transport.ts';

const states = { success: 'success', failure: 'failed', pending: 'pending' } as const;

const answers = { success: 'passed', failure: 'failed', pending: 'pending' } as const;

const note = z.object({ id: hostId, body: z.string(), system: z.boolean().nullish() });

/** Commit statuses, comments and status check results. Need the scope `api` and the role Developer. */
export const createGitlabComments = (
  ask: GitlabApi,
): Required<Pick<CodeHost, 'setStatus' | 'comments' | 'answerCheck'>> => ({
  async setStatus(ref, sha, { state, context, description, url }) {
    const body = { state: states[state], name: context, description, target_url: url };
    await ask(`${projectOf(ref)}/statuses/${encodeURIComponent(sha)}`, { method: 'POST', body }).catch(ignoreUnchanged);
  },
  async answerCheck(ref, number, { sha, checkId, state }) {
    const body = { sha, external_status_check_id: Number(checkId), status: answers[state] };
    await ask(`${projectOf(ref)}/merge_requests/${number}/status_check_responses`, { method: 'POST', body });
  },
  comments: {
    async findComment(ref, number, text) {
      const notes = await readAllItems(ask, notesOf(ref, number));
      return notes.map((json) => note.parse(json)).find(({ body, system }) => !system && body.includes(text))?.id;
    },
    async writeComment(ref, number, body) {
      return note.parse((await ask(notesOf(ref, number), { method: 'POST', body: { body } })).data).id;
    },
    async changeComment(ref, number, id, body) {
      await ask(`${notesOf(ref, number)}/${encodeURIComponent(id)}`, { method: 'PUT', body: { body } });
    },
  } satisfies HostComments,
});

const notesOf = (ref: Parameters<typeof projectOf>[0], number: number): string =>
  `${projectOf(ref)}/merge_requests/${number}/notes`;

// GitLab refuses to set a pending status to pending again.
const ignoreUnchanged = (error: unknown): void => {
  if (!(error instanceof HostRefused && error.status === 400 && /cannot transition status/i.test(error.message))) {
    throw error;
  }
};
