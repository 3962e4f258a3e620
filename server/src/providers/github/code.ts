import { z } from 'zod';
import { type HostCode, HostRefused } from '#providers/code-host.ts';
import type { HostBlame, HostFile } from '../host-facts.ts';
import type { GithubClients } from './client.ts';
import { commitFromApi } from './commit-shapes.ts';
import { createGraphqlQuery } from './graphql.ts';
import { inRepositoryOf } from './reads.ts';
import { hostId, hostPersonOf, time } from './shapes.ts';

const file = z.object({ type: z.literal('file'), encoding: z.string(), content: z.string(), size: z.number() });

const branch = z.object({ commit: z.object({ sha: z.string() }) });
const blob = z.object({ encoding: z.literal('base64'), content: z.string() });
const tree = z.object({
  truncated: z.boolean().default(false),
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.string(),
      type: z.string(),
      sha: z.string().nullable(),
      size: z.number().default(0),
    }),
  ),
});
type Entries = z.output<typeof tree>['tree'];

export function createCode(apiUrl: string, { asInstallation, asInstallationOnce }: GithubClients): Required<HostCode> {
  const inRepository = inRepositoryOf(asInstallationOnce);
  const withRetries = inRepositoryOf(asInstallation);
  const question = createGraphqlQuery(apiUrl);

  return {
    async readFile(ref, commit, path) {
      const { data } = await inRepository(ref)('GET /repos/{owner}/{repo}/contents/{path}', { path, ref: commit });
      const found = file.safeParse(data).data;
      if (!found) throw new HostRefused(404, 'That is no file');
      if (found.encoding !== 'base64') throw new HostRefused(413, 'The file is larger than 1 MB');
      return Buffer.from(found.content, 'base64');
    },

    async lastChangeOf(ref, sha, path) {
      const { data } = await withRetries(ref)('GET /repos/{owner}/{repo}/commits', { sha, path, per_page: 1 });
      const [json] = z.array(z.unknown()).parse(data);
      return json === undefined ? undefined : commitFromApi(json);
    },

    async headOf(ref, name) {
      const { data } = await withRetries(ref)('GET /repos/{owner}/{repo}/branches/{branch}', { branch: name });
      return branch.parse(data).commit.sha;
    },

    async listTree(ref, commit) {
      const read = async (sha: string, isRecursive: boolean) => {
        const deep = isRecursive ? { recursive: '1' } : {};
        const { data } = await withRetries(ref)('GET /repos/{owner}/{repo}/git/trees/{sha}', { sha, ...deep });
        return tree.parse(data);
      };
      const recursive = await read(commit, true);
      if (!recursive.truncated) return filesOf(recursive.tree, '');
      const top = (await read(commit, false)).tree;
      const files = filesOf(top, '');
      for (const { path, type, sha } of top) {
        if (type !== 'tree' || sha === null || !path.startsWith('.')) continue;
        files.push(...filesOf((await read(sha, true)).tree, `${path}/`));
      }
      return files;
    },

    async readBlob(ref, sha) {
      const { data } = await withRetries(ref)('GET /repos/{owner}/{repo}/git/blobs/{sha}', { sha });
      return Buffer.from(blob.parse(data).content, 'base64');
    },

    // GitHub allows one query per second and cancels a query after ten seconds.
    async blame({ installationId, owner, name }, commit, paths) {
      const named = Object.fromEntries(paths.map((path, index) => [`p${index}`, path]));
      const variables = { owner, name, commit, ...named };
      const response = await question(asInstallation(installationId), blameQuery(paths.length), variables);
      const { errors, data: answer } = blameAnswer.parse(response);
      const [error] = errors ?? [];
      const blamed = answer?.repository?.object;
      if (!blamed)
        throw new HostRefused(404, error ? `GitHub answered: ${error.message}` : 'GitHub knows no such commit');
      return new Map(
        paths.flatMap((path, index) => {
          const ranges = blamed[`b${index}`]?.ranges;
          return ranges ? [[path, ranges.map(blameFrom)]] : [];
        }),
      );
    },
  };
}

const regular = new Set(['100644', '100755']);
const filesOf = (entries: Entries, folder: string): HostFile[] =>
  entries.flatMap(({ path, mode, sha, size }) =>
    regular.has(mode) && sha !== null ? [{ path: `${folder}${path}`, blob: sha, size }] : [],
  );

const blameQuery = (files: number): string => {
  const all = Array.from({ length: files }, (_, index) => index);
  return `query ($owner: String!, $name: String!, $commit: GitObjectID!, ${all.map((at) => `$p${at}: String!`).join(', ')}) {
  repository(owner: $owner, name: $name) {
    object(oid: $commit) {
      ... on Commit {
        ${all.map((at) => `b${at}: blame(path: $p${at}) { ...lines }`).join('\n        ')}
      }
    }
  }
}
${linesFragment}`;
};

const linesFragment = `fragment lines on Blame {
  ranges {
    startingLine
    endingLine
    commit {
      oid
      message
      authoredDate
      author { name email user { databaseId login avatarUrl } }
      associatedPullRequests(first: 1) { nodes { number } }
    }
  }
}`;

const user = z
  .object({ databaseId: hostId.nullish(), login: z.string(), avatarUrl: z.string().nullish() })
  .transform(({ databaseId, login, avatarUrl }) => ({ id: databaseId, login, avatar_url: avatarUrl }))
  .nullish();
const range = z.object({
  startingLine: z.number().int(),
  endingLine: z.number().int(),
  commit: z.object({
    oid: z.string(),
    message: z.string(),
    authoredDate: time,
    author: z.object({ name: z.string().nullish(), email: z.string().nullish(), user }).nullish(),
    associatedPullRequests: z.object({ nodes: z.array(z.object({ number: z.number().int() })).nullish() }).nullish(),
  }),
});
const blameAnswer = z.object({
  errors: z.array(z.object({ message: z.string() })).nullish(),
  data: z
    .object({
      repository: z
        .object({
          object: z.record(z.string(), z.object({ ranges: z.array(range) }).nullish()).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

function blameFrom({ startingLine, endingLine, commit }: z.output<typeof range>): HostBlame {
  const { author, associatedPullRequests: pulls } = commit;
  return {
    from: startingLine,
    to: endingLine,
    commit: {
      sha: commit.oid,
      message: commit.message,
      author: hostPersonOf(author, author?.user),
      authoredAt: commit.authoredDate,
    },
    pullRequest: pulls?.nodes?.[0]?.number ?? null,
  };
}
