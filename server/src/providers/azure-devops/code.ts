import { z } from 'zod';
import { type HostCode, HostRefused } from '#providers/code-host.ts';
import type { AccountLookup } from './accounts.ts';
import { readCommit } from './commit-shapes.ts';
import { readOneCommit, repositoryPath, versionQuery, wholeCommits } from './reads.ts';
import { list } from './shapes.ts';
import type { AzureDevopsApi } from './transport.ts';

const ref = z.object({ name: z.string(), objectId: z.string() });
const item = z.object({ objectId: z.string(), gitObjectType: z.string().nullish(), isFolder: z.boolean().nullish() });
const tree = z.object({
  treeEntries: z.array(
    z.object({
      objectId: z.string(),
      relativePath: z.string(),
      mode: z.string(),
      gitObjectType: z.string(),
      size: z.number().nullish(),
    }),
  ),
});

const regular = new Set(['100644', '100755']);

/** Reads code. The API has no blame. */
export function createCode(api: AzureDevopsApi, accounts: AccountLookup): HostCode {
  return {
    async headOf(host, name) {
      const { data } = await api.json(`${repositoryPath(host)}/refs`, { query: { filter: `heads/${name}` } });
      // The filter is a prefix.
      const found = list.parse(data).map((json) => ref.parse(json));
      const head = found.find((one) => one.name === `refs/heads/${name}`);
      if (!head) throw new HostRefused(404, 'There is no such branch');
      return head.objectId;
    },

    async readFile(host, commit, path) {
      const query = { path: `/${path}`, ...versionQuery('versionDescriptor', 'commit', commit), $format: 'json' };
      const found = item.parse((await api.json(`${repositoryPath(host)}/items`, { query })).data);
      if (found.isFolder || (found.gitObjectType ?? 'blob') !== 'blob') throw new HostRefused(404, 'It is not a file');
      return readBlob(api, host, found.objectId);
    },

    async lastChangeOf(host, commit, path) {
      const query = {
        ...versionQuery('searchCriteria.itemVersion', 'commit', commit),
        'searchCriteria.itemPath': `/${path}`,
        'searchCriteria.$top': 1,
      };
      const [json] = list.parse((await api.json(`${repositoryPath(host)}/commits`, { query })).data);
      if (json === undefined) return undefined;
      const [found] = await accounts.commitsWith(await wholeCommits(api, host, [readCommit(json)]));
      return found;
    },

    async listTree(host, commit) {
      const { treeId } = await readOneCommit(api, host, commit);
      if (!treeId) throw new HostRefused(404, 'The commit has no tree');
      const path = `${repositoryPath(host)}/trees/${encodeURIComponent(treeId)}`;
      const { treeEntries } = tree.parse((await api.json(path, { query: { recursive: true } })).data);
      return treeEntries
        .filter(({ gitObjectType, mode }) => gitObjectType === 'blob' && regular.has(mode))
        .map(({ relativePath, objectId, size }) => ({ path: relativePath, blob: objectId, size: size ?? null }));
    },

    readBlob: (host, id) => readBlob(api, host, id),
  };
}

const readBlob = (api: AzureDevopsApi, host: Parameters<typeof repositoryPath>[0], id: string): Promise<Buffer> =>
  api.bytes(`${repositoryPath(host)}/blobs/${encodeURIComponent(id)}`, { $format: 'octetstream' });
