import { z } from 'zod';
import { type HostCode, HostRefused } from '#providers/code-host.ts';
import type { HostBlame } from '../host-facts.ts';
import { commitFrom } from './commit-shapes.ts';
import { nextPageUrl } from './paging.ts';
import { projectOf } from './reads.ts';
import type { GitlabApi } from './transport.ts';

const file = z.object({ encoding: z.literal('base64'), content: z.string() });
const branch = z.object({ commit: z.object({ id: z.string() }) });
const entry = z.object({ id: z.string(), type: z.string(), path: z.string(), mode: z.string() });
const blamed = z.array(z.object({ commit: z.unknown(), lines: z.array(z.string()) }));

const MAX_BYTES = 1024 * 1024;
// The maximum number of pages of a hundred entries. Further entries of a tree are omitted.
const MAX_TREE_PAGES = 300;
const regular = new Set(['100644', '100755']);

/** Reads code from a GitLab instance. */
export function createCode(ask: GitlabApi): HostCode {
  const fileOf = (path: string, commit: string): [string, { query: { ref: string } }] => [
    encodeURIComponent(path),
    { query: { ref: commit } },
  ];
  return {
    async headOf(ref, name) {
      const { data } = await ask(`${projectOf(ref)}/repository/branches/${encodeURIComponent(name)}`);
      return branch.parse(data).commit.id;
    },

    async readFile(ref, commit, path) {
      const [name, question] = fileOf(path, commit);
      const { data } = await ask(`${projectOf(ref)}/repository/files/${name}`, question);
      const content = Buffer.from(file.parse(data).content, 'base64');
      if (content.length > MAX_BYTES) throw new HostRefused(413, 'The file is larger than 1 MB');
      return content;
    },

    async lastChangeOf(ref, commit, path) {
      const query = { ref_name: commit, path, per_page: 1 };
      const { data } = await ask(`${projectOf(ref)}/repository/commits`, { query });
      const [json] = z.array(z.unknown()).parse(data);
      return json === undefined ? undefined : commitFrom(json);
    },

    async listTree(ref, commit) {
      const query = { ref: commit, recursive: true, per_page: 100, pagination: 'keyset' };
      let answer = await ask(`${projectOf(ref)}/repository/tree`, { query });
      const entries = z.array(entry).parse(answer.data);
      for (let page = 1; page < MAX_TREE_PAGES; page += 1) {
        const next = nextPageUrl(answer.headers);
        if (next === null) break;
        answer = await ask(next);
        entries.push(...z.array(entry).parse(answer.data));
      }
      return entries
        .filter(({ type, mode }) => type === 'blob' && regular.has(mode))
        .map(({ path, id }) => ({ path, blob: id, size: null }));
    },

    async readBlob(ref, blob) {
      const { data } = await ask(`${projectOf(ref)}/repository/blobs/${encodeURIComponent(blob)}`);
      return Buffer.from(file.parse(data).content, 'base64');
    },

    async blame(ref, commit, paths) {
      const found = new Map<string, HostBlame[]>();
      for (const path of paths) {
        const [name, question] = fileOf(path, commit);
        const ranges = await ask(`${projectOf(ref)}/repository/files/${name}/blame`, question).catch(ignoreNotFound);
        if (ranges) found.set(path, rangesFrom(ranges.data));
      }
      return found;
    },
  };
}

function ignoreNotFound(error: unknown): undefined {
  if (error instanceof HostRefused && error.status === 404) return undefined;
  throw error;
}

function rangesFrom(json: unknown): HostBlame[] {
  let line = 1;
  return blamed.parse(json).map(({ commit, lines }) => {
    const { sha, message, author, authoredAt } = commitFrom(commit);
    const from = line;
    line += lines.length;
    // GitLab returns no merge request; it is determined from the imported history.
    return { from, to: line - 1, commit: { sha, message, author, authoredAt }, pullRequest: null };
  });
}
