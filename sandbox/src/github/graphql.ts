import type { FastifyInstance } from 'fastify';
import { type BlameRange, readBlame } from '../git/blame.ts';
import { entriesOf, findObject } from '../git/objects.ts';
import { changesOf, resolveCommit } from '../git/repository.ts';
import { userOf } from '../git/users.ts';
import { pullRequestObject } from './graphql-pulls.ts';
import { fullName, type Host } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { refuse } from './refusal.ts';
import { countLines } from './responses/commit.ts';
import { accessOf } from './tokens.ts';

type GraphqlRequest = { query?: string; variables?: Record<string, string> };

/**
 * The supported GraphQL queries: blame of files at a commit, issues that a pull request closes, and pull requests,
 * commits or trees by fragment. `owner`, `name`, `commit` and `number` are variables, and so are the path of each
 * blame, the ID of each object and the number of each pull request.
 */
export const graphqlRoutes = (server: FastifyInstance, host: Host): void => {
  server.post<{ Body: GraphqlRequest }>('/graphql', async (request) => {
    const { repositories } = accessOf(host, request);
    const { query = '', variables = {} } = request.body;
    const blames = [...query.matchAll(/(?:(\w+):\s*)?\bblame\s*\(\s*path:\s*\$(\w+)\s*\)/g)];
    const isIssues = /\bclosingIssuesReferences\b/.test(query);
    const objects = [...query.matchAll(/(\w+):\s*object\(oid:\s*\$(\w+)\)\s*\{\s*\.\.\.\w+\s*\}/g)];
    const pulls = [...query.matchAll(/(\w+):\s*pullRequest\(number:\s*\$(\w+)\)\s*\{\s*\.\.\.\w+\s*\}/g)];
    if (blames.length === 0 && !isIssues && objects.length === 0 && pulls.length === 0)
      throw refuse(400, 'The sandbox answers blame, closing issues, pull requests, commits and trees, nothing else.');
    const { owner, name, commit = '' } = variables;
    const requestedName = `${owner}/${name}`.toLowerCase();
    const repository = repositories.find((candidate) => fullName(candidate).toLowerCase() === requestedName);
    if (repository === undefined) {
      const message = `Could not resolve to a Repository with the name '${owner}/${name}'.`;
      return { data: { repository: null }, errors: [{ type: 'NOT_FOUND', path: ['repository'], message }] };
    }
    if (isIssues) return closingIssues(repository, Number(variables.number));
    if (objects.length > 0) {
      const shapeOf = /\bon Tree\b/.test(query) ? treeObject : commitObject;
      return answerEach(objects, (variable) => shapeOf(repository, variables[variable] ?? ''));
    }
    if (pulls.length > 0)
      return answerEach(pulls, (variable) => pullRequestObject(host, repository, Number(variables[variable])));
    const aliases = blames.map(([, alias = 'blame', variable = '']) => [alias, variables[variable] ?? ''] as const);
    return blameObject(host, repository, commit, aliases);
  });
};

/** Returns the blame of several paths at a commit, each under its alias. */
const blameObject = async (
  host: Host,
  repository: HostedRepository,
  commit: string,
  aliases: readonly (readonly [alias: string, path: string])[],
) => {
  const found = resolveCommit(repository.git, commit);
  if (found === undefined) return { data: { repository: { object: null } } };
  const object: Record<string, unknown> = {};
  const errors: object[] = [];
  for (const [alias, path] of aliases) {
    const ranges = await readBlame(repository.git.path, found.sha, path).catch(() => undefined);
    object[alias] = ranges === undefined ? null : { ranges: ranges.map((range) => rangeJson(host, repository, range)) };
    if (ranges === undefined) errors.push({ type: 'NOT_FOUND', message: `Path '${path}' does not exist in commit.` });
  }
  return { data: { repository: { object } }, ...(errors.length > 0 && { errors }) };
};

/** Returns each alias with the object that its variable names. */
const answerEach = async (aliases: RegExpExecArray[], shapeOf: (variable: string) => Promise<unknown>) => {
  const shapes = aliases.map(async ([, alias = '', variable = '']) => [alias, await shapeOf(variable)]);
  return { data: { repository: Object.fromEntries(await Promise.all(shapes)) } };
};

const commitObject = async ({ git }: HostedRepository, oid: string) => {
  const commit = git.commits.get(oid);
  if (commit === undefined) return null;
  const files = await changesOf(git, oid);
  const parent = git.commits.get(commit.parents[0] ?? '');
  return {
    ...countLines(files),
    changedFilesIfAvailable: files.length,
    tree: { oid: commit.tree },
    parents: { nodes: parent === undefined ? [] : [{ tree: { oid: parent.tree } }] },
  };
};

const treeObject = async ({ git }: HostedRepository, oid: string) => {
  const found = /^[0-9a-f]{40,64}$/.test(oid) ? await findObject(git.path, oid) : undefined;
  if (found?.type !== 'tree') return null;
  const entries = entriesOf(found).map(({ mode, type, sha, path }) => ({
    name: path,
    type,
    oid: sha,
    mode: Number.parseInt(mode, 8),
  }));
  return { entries };
};

const closingIssues = ({ git }: HostedRepository, number: number) => {
  const pull = git.pullRequests.find((candidate) => candidate.number === number);
  if (pull === undefined) {
    const message = `Could not resolve to a PullRequest with the number of ${number}.`;
    return { data: { repository: { pullRequest: null } }, errors: [{ type: 'NOT_FOUND', message }] };
  }
  const nodes = pull.linkedIssues.map((issue) => ({ number: issue }));
  const closingIssuesReferences = { totalCount: nodes.length, nodes };
  return { data: { repository: { pullRequest: { closingIssuesReferences } } } };
};

const rangeJson = (host: Host, { git }: HostedRepository, { sha, from, to }: BlameRange) => {
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
        user:
          user === undefined
            ? null
            : { databaseId: user.id, login: user.login, avatarUrl: `${host.url}/avatars/u/${user.id}?v=4` },
      },
      associatedPullRequests: { nodes: pull === undefined ? [] : [{ number: pull.number }] },
    },
  };
};
