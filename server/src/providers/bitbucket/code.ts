import { z } from 'zod';
import { type HostCode, HostRefused } from '#providers/code-host.ts';
import type { HostFile } from '../host-facts.ts';
import { commitFrom } from './commit-shapes.ts';
import { readAllPages, repositoryPathOf } from './reads.ts';
import { type BitbucketTransport, pathSegment } from './transport.ts';

const mebibyte = 1024 * 1024;
const MAX_DEPTH = 20;

const branch = z.object({ target: z.object({ hash: z.string() }) });
const entry = z.object({
  type: z.string(),
  path: z.string(),
  size: z.number().int().nullish(),
  attributes: z.array(z.string()).nullish(),
  commit: z.object({ hash: z.string() }).nullish(),
});

/** Reads code. The API of Bitbucket has no blame. */
export function createCode(transport: BitbucketTransport): HostCode {
  const sourceOf = (commit: string, path: string): string =>
    `/src/${pathSegment(commit)}/${path.split('/').map(pathSegment).join('/')}`;

  return {
    async headOf(ref, name) {
      return branch.parse(await transport.json(`${repositoryPathOf(ref)}/refs/branches/${pathSegment(name)}`)).target
        .hash;
    },

    async readFile(ref, commit, path) {
      const address = `${repositoryPathOf(ref)}${sourceOf(commit, path)}`;
      const found = entry.safeParse(await transport.json(address, { query: { format: 'meta' } })).data;
      if (!found || !isFile(found)) throw new HostRefused(404, 'That is no file');
      if ((found.size ?? 0) > mebibyte) throw new HostRefused(413, 'The file is larger than 1 MB');
      return transport.bytes(address, { size: mebibyte });
    },

    async lastChangeOf(ref, commit, path) {
      const query = { include: commit, path, pagelen: 1 };
      const found = z.object({ values: z.array(z.unknown()) });
      const [json] = found.parse(await transport.json(`${repositoryPathOf(ref)}/commits`, { query })).values;
      return json === undefined ? undefined : commitFrom(json);
    },

    async listTree(ref, commit) {
      const address = `${repositoryPathOf(ref)}${sourceOf(commit, '')}`;
      const { values } = await readAllPages(transport, address, { max_depth: MAX_DEPTH, pagelen: 100 });
      return values
        .map((json) => entry.parse(json))
        .flatMap((found) => (isFile(found) ? [fileFrom(found, commit)] : []));
    },

    async readBlob(ref, blob) {
      const [, commit = '', path = ''] = /^([0-9a-f]+):(.*)$/s.exec(blob) ?? [];
      if (path === '') throw new HostRefused(404, 'That is no file');
      return transport.bytes(`${repositoryPathOf(ref)}${sourceOf(commit, path)}`, { size: 100 * mebibyte });
    },
  };
}

type SourceEntry = z.output<typeof entry>;

const isFile = ({ type, attributes }: SourceEntry): boolean =>
  type === 'commit_file' && !attributes?.includes('link') && !attributes?.includes('subrepository');

// Bitbucket has no IDs for file contents: the commit and path identify the content.
const fileFrom = ({ path, size }: SourceEntry, commit: string): HostFile => ({
  path,
  blob: `${commit}:${path}`,
  size: size ?? null,
});
