import { z } from 'zod';
import { type HostCode, HostRefused } from '#providers/code-host.ts';
import { commitFrom } from './commit-shapes.ts';
import { readTree } from './differences.ts';
import { repositoryPath } from './reads.ts';
import type { GiteaApi } from './transport.ts';

const branch = z.object({ commit: z.object({ id: z.string() }) });
const file = z.object({
  type: z.literal('file'),
  size: z.number().nullish(),
  encoding: z.string().nullish(),
  content: z.string().nullish(),
});
const blob = z.object({ encoding: z.string(), content: z.string() });

const MAX_BYTES = 1024 * 1024;
const regular = new Set(['100644', '100755']);

/** Reads code. The API has no blame. */
export function createCode(api: GiteaApi): HostCode {
  return {
    async headOf(ref, name) {
      const { data } = await api.json(`${repositoryPath(ref)}/branches/${encodeURIComponent(name)}`);
      return branch.parse(data).commit.id;
    },

    async readFile(ref, commit, path) {
      const encoded = path.split('/').map(encodeURIComponent).join('/');
      const { data } = await api.json(`${repositoryPath(ref)}/contents/${encoded}`, { query: { ref: commit } });
      const found = file.safeParse(data).data;
      if (!found) throw new HostRefused(404, 'It is not a file');
      // Instances omit the content of large files.
      if ((found.size ?? 0) > MAX_BYTES || found.content == null || found.encoding !== 'base64')
        throw new HostRefused(413, 'The file is larger than 1 MB');
      return Buffer.from(found.content, 'base64');
    },

    async lastChangeOf(ref, commit, path) {
      const query = { sha: commit, path, limit: 1, stat: false, files: false, verification: false };
      const { data } = await api.json(`${repositoryPath(ref)}/commits`, { query });
      const [json] = z.array(z.unknown()).parse(data ?? []);
      return json === undefined ? undefined : commitFrom(json);
    },

    async listTree(ref, commit) {
      const { items } = await readTree(api, ref, commit);
      return items
        .filter(({ type, mode }) => type === 'blob' && regular.has(mode))
        .map(({ path, sha, size }) => ({ path, blob: sha, size: size ?? null }));
    },

    async readBlob(ref, id) {
      const { data } = await api.json(`${repositoryPath(ref)}/git/blobs/${encodeURIComponent(id)}`);
      return Buffer.from(blob.parse(data).content, 'base64');
    },
  };
}
