import { z } from 'zod';
import { type HostCode, HostRefused } from '#providers/code-host.ts';
import { commitFrom } from './commit-shapes.ts';
import { readAllItems, readPage } from './paging.ts';
import { repositoryPath } from './paths.ts';
import type { DataCenterApi } from './transport.ts';

const mebibyte = 1024 * 1024;

const branches = z.array(z.object({ id: z.string(), latestCommit: z.string() }));

/** Reads code. */
export function createCode(api: DataCenterApi): HostCode {
  return {
    async headOf(ref, name) {
      const full = `refs/heads/${name}`;
      const query = { filterText: name, orderBy: 'ALPHABETICAL' };
      const { items } = await readAllItems(api, `${repositoryPath(ref)}/branches`, query);
      const found = branches.parse(items).find(({ id }) => id === full);
      if (!found) throw new HostRefused(404, 'There is no such branch');
      return found.latestCommit;
    },

    readFile: (ref, commit, path) => readRaw(ref, commit, path, mebibyte),

    async lastChangeOf(ref, commit, path) {
      const { items } = await readPage(api, `${repositoryPath(ref)}/commits`, { until: commit, path, limit: 1 }, null);
      return items[0] === undefined ? undefined : commitFrom(items[0]);
    },

    async listTree(ref, commit) {
      const { items } = await readAllItems(api, `${repositoryPath(ref)}/files`, { at: commit, limit: 1000 }, 100);
      const paths = z.array(z.string()).parse(items);
      // The list has neither the IDs of contents nor sizes: the commit and path identify the content.
      return paths.map((path) => ({ path, blob: `${commit}:${path}`, size: null }));
    },

    async readBlob(ref, blob) {
      const [, commit = '', path = ''] = /^([0-9a-f]+):(.*)$/s.exec(blob) ?? [];
      if (path === '') throw new HostRefused(404, 'That is no file');
      return readRaw(ref, commit, path, 100 * mebibyte);
    },
  };

  function readRaw(
    ref: Parameters<HostCode['readFile']>[0],
    commit: string,
    path: string,
    size: number,
  ): Promise<Buffer> {
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    return api.bytes(`${repositoryPath(ref)}/raw/${encoded}`, { query: { at: commit }, size });
  }
}
