import type { FastifyInstance } from 'fastify';
import { type BlameRange, readBlame } from '../git/blame.ts';
import { resolveCommit } from '../git/repository.ts';
import { userOf } from '../git/users.ts';
import { fullName, type Host, type HostedRepository } from './host.ts';
import { refuse } from './refusal.ts';
import { accessOf } from './tokens.ts';

type Question = { query?: string; variables?: Record<string, string> };

/**
 * The one question of GitHub's other API that is answered: who brought the lines of files at a commit. `owner`, `name` and
 * `commit` are variables, and so is the path of each blame.
 */
export const graphqlRoutes = (server: FastifyInstance, host: Host): void => {
  server.post<{ Body: Question }>('/graphql', async (request) => {
    const { repositories } = accessOf(host, request);
    const { query = '', variables = {} } = request.body;
    const blames = [...query.matchAll(/(?:(\w+):\s*)?\bblame\s*\(\s*path:\s*\$(\w+)\s*\)/g)];
    if (blames.length === 0) throw refuse(400, 'The sandbox answers blame, and nothing else.');
    const { owner, name, commit = '' } = variables;
    const asked = `${owner}/${name}`.toLowerCase();
    const repository = repositories.find((candidate) => fullName(candidate).toLowerCase() === asked);
    if (repository === undefined) {
      const message = `Could not resolve to a Repository with the name '${owner}/${name}'.`;
      return { data: { repository: null }, errors: [{ type: 'NOT_FOUND', path: ['repository'], message }] };
    }
    const found = resolveCommit(repository.git, commit);
    if (found === undefined) return { data: { repository: { object: null } } };
    const object: Record<string, unknown> = {};
    const errors: object[] = [];
    for (const [, alias = 'blame', variable = ''] of blames) {
      const path = variables[variable] ?? '';
      const ranges = await readBlame(repository.git.path, found.sha, path).catch(() => undefined);
      object[alias] =
        ranges === undefined ? null : { ranges: ranges.map((range) => rangeShape(host, repository, range)) };
      if (ranges === undefined) errors.push({ type: 'NOT_FOUND', message: `Path '${path}' does not exist in commit.` });
    }
    return { data: { repository: { object } }, ...(errors.length > 0 && { errors }) };
  });
};

const rangeShape = (host: Host, { git }: HostedRepository, { sha, from, to }: BlameRange) => {
  const commit = git.commits.get(sha);
  const author = commit?.author;
  const user = author === undefined ? undefined : userOf(host.users, author);
  const pull = git.pullRequests.find(({ mergeSha, commits }) => mergeSha === sha || commits.includes(sha));
  return {
    startingLine: from,
    endingLine: to,
    commit: {
      oid: sha,
      message: commit?.message ?? '',
      authoredDate: author?.date ?? null,
      author: author && {
        name: author.name,
        email: author.email,
        user: user === undefined ? null : { login: user.login, avatarUrl: `${host.url}/avatars/u/${user.id}?v=4` },
      },
      associatedPullRequests: { nodes: pull === undefined ? [] : [{ number: pull.number }] },
    },
  };
};
