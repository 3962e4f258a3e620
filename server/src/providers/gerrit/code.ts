import { z } from 'zod';
import { type HostCode, HostRefused } from '#providers/code-host.ts';
import { commitFromLog } from './commit-shapes.ts';
import { readLog } from './paging.ts';
import { commitPath, encodeRef } from './reads.ts';
import { gitilesPath, projectPath } from './shapes.ts';
import type { GerritApi } from './transport.ts';

const branch = z.object({ revision: z.string() });
const tree = z.object({
  entries: z.array(
    z.object({
      mode: z.number().int(),
      type: z.string(),
      id: z.string(),
      name: z.string(),
      size: z.number().int().nullish(),
    }),
  ),
});

const regular = new Set([0o100644, 0o100755]);
const MAX_REMEMBERED = 20_000;

/** Reads code. The API reads files by name only, so that the names of listed files are kept for `readBlob`. */
export function createCode(api: GerritApi): HostCode {
  const places = new Map<string, { commit: string; path: string }>();
  const readFile: HostCode['readFile'] = (ref, commit, path) =>
    api.base64(`${commitPath(ref, commit)}/files/${encodeURIComponent(path)}/content`);
  return {
    async headOf(ref, name) {
      return branch.parse(await api.json(`${projectPath(ref)}/branches/${encodeURIComponent(name)}`)).revision;
    },

    readFile,

    async lastChangeOf(ref, commit, path) {
      const address = `${gitilesPath(ref)}/+log/${encodeURIComponent(commit)}/${encodeRef(path)}`;
      const [json] = (await readLog(api, address, null, { n: 1 })).items;
      return json === undefined ? undefined : commitFromLog(json);
    },

    async listTree(ref, commit) {
      const address = `${gitilesPath(ref)}/+/${encodeURIComponent(commit)}/`;
      const { entries } = tree.parse(await api.json(address, { format: 'JSON', recursive: 1, long: 1 }));
      const files = entries
        .filter(({ type, mode }) => type === 'blob' && regular.has(mode))
        .map(({ name: path, id: blob, size }) => ({ path, blob, size: size ?? null }));
      if (places.size > MAX_REMEMBERED) places.clear();
      for (const { path, blob } of files) places.set(blob, { commit, path });
      return files;
    },

    async readBlob(ref, blob) {
      const place = places.get(blob);
      if (place === undefined) throw new HostRefused(404, 'The code host reads files by name only');
      return readFile(ref, place.commit, place.path);
    },
  };
}
