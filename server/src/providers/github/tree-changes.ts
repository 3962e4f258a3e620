import { z } from 'zod';
import { hostCount } from '#providers/host-data.ts';
import type { HostChanges, HostRef } from '../host-facts.ts';
import type { GithubClients } from './client.ts';
import { createGraphqlQuery, queryInChunks, repositoryFieldsOf } from './graphql.ts';

const COMMITS_PER_QUERY = 50;
const TREES_PER_QUERY = 60;
/** A commit with more folders, or with more files than REST lists, is cheaper to read separately. */
const MAX_TREES_PER_COMMIT = 150;
const MAX_FILES = 3_000;

type ChangedFile = HostChanges['files'][number];
interface TreeEntry {
  name: string;
  type: string;
  oid: string;
  mode: number;
}
/** Two versions of a folder; undefined if it does not exist. */
interface FolderPair {
  folder: string;
  before: string | undefined;
  after: string | undefined;
}
interface Comparison {
  sha: string;
  additions: number;
  deletions: number;
  count: number;
  trees: number;
  open: FolderPair[];
  files: (ChangedFile & { blob: string })[];
}

/**
 * Determines the changes of commits by comparing their folders with those of the first parents. This needs few requests
 * for hundreds of commits, while REST needs one for each. GraphQL has line counts per commit but not per file. Omits
 * commits that need REST for an exact result, such as those with an edited and renamed file.
 */
export function createTreeChanges(
  apiUrl: string,
  { asInstallationOften }: GithubClients,
): (ref: HostRef, shas: readonly string[]) => Promise<Map<string, HostChanges>> {
  const question = createGraphqlQuery(apiUrl);

  return async ({ installationId, owner, name }, shas) => {
    const ask = asInstallationOften(installationId);
    const readObjects = async <Item>(ids: readonly string[], { size, fragment, item }: ObjectKind<Item>) => {
      const found = new Map<string, Item>();
      await queryInChunks(ids, size, async (chunk) => {
        const variables = Object.fromEntries(chunk.map((id, index) => [`o${index}`, id]));
        const objects = await repositoryFieldsOf(
          question(ask, objectsQuery(chunk.length, fragment), { owner, name, ...variables }),
        );
        chunk.forEach((id, index) => {
          const parsed = item.safeParse(objects[`o${index}`]).data;
          if (parsed !== undefined) found.set(id, parsed);
        });
      });
      return found;
    };

    const commits = await readObjects(shas, commitKind);
    const comparisons = [...commits].flatMap(([sha, commit]) => comparisonOf(sha, commit) ?? []);
    const trees = new Map<string, TreeEntry[]>();
    for (let open = comparisons; open.length > 0; open = open.filter((one) => one.open.length > 0)) {
      const ids = new Set(
        open.flatMap((one) => one.open.flatMap(({ before, after }) => [before ?? [], after ?? []].flat())),
      );
      const unread = [...ids].filter((id) => !trees.has(id));
      for (const [id, { entries }] of await readObjects(unread, treeKind)) trees.set(id, entries);
      for (const comparison of open) compareFolders(comparison, trees);
    }
    return new Map(comparisons.flatMap((one) => (isExact(one) ? [[one.sha, changesOf(one)] as const] : [])));
  };
}

interface ObjectKind<Item> {
  size: number;
  fragment: string;
  item: z.ZodType<Item>;
}

const commitKind = {
  size: COMMITS_PER_QUERY,
  fragment:
    'fragment wanted on Commit { additions deletions changedFilesIfAvailable tree { oid } parents(first: 1) { nodes { tree { oid } } } }',
  item: z.object({
    additions: hostCount,
    deletions: hostCount,
    changedFilesIfAvailable: hostCount.nullish(),
    tree: z.object({ oid: z.string() }),
    parents: z.object({ nodes: z.array(z.object({ tree: z.object({ oid: z.string() }) })) }),
  }),
};

const treeKind = {
  size: TREES_PER_QUERY,
  fragment: 'fragment wanted on Tree { entries { name type oid mode } }',
  item: z.object({
    entries: z.array(z.object({ name: z.string(), type: z.string(), oid: z.string(), mode: z.number() })),
  }),
};

const objectsQuery = (count: number, fragment: string): string => {
  const all = Array.from({ length: count }, (_, index) => index);
  return `query ($owner: String!, $name: String!, ${all.map((at) => `$o${at}: GitObjectID!`).join(', ')}) {
  repository(owner: $owner, name: $name) {
    ${all.map((at) => `o${at}: object(oid: $o${at}) { ...wanted }`).join('\n    ')}
  }
}
${fragment}`;
};

function comparisonOf(sha: string, commit: z.output<typeof commitKind.item>): Comparison | undefined {
  const [parent] = commit.parents.nodes;
  const { additions, deletions, changedFilesIfAvailable: count, tree } = commit;
  if (!parent || count === null || count === undefined || count > MAX_FILES) return undefined;
  const open = parent.tree.oid === tree.oid ? [] : [{ folder: '', before: parent.tree.oid, after: tree.oid }];
  return { sha, additions, deletions, count, trees: 0, open, files: [] };
}

/** Compares the open folders of a commit. Changed subfolders become the next open ones. */
function compareFolders(comparison: Comparison, trees: ReadonlyMap<string, TreeEntry[]>): void {
  const next: FolderPair[] = [];
  for (const { folder, before, after } of comparison.open) {
    const [old, fresh] = [before, after].map((id) => (id === undefined ? [] : trees.get(id)));
    comparison.trees += 1;
    if (!old || !fresh || comparison.trees > MAX_TREES_PER_COMMIT) {
      discard(comparison);
      return;
    }
    const known = new Map(old.map((entry) => [entry.name, entry]));
    for (const entry of fresh) {
      const previous = known.get(entry.name);
      known.delete(entry.name);
      if (previous?.oid !== entry.oid || previous.mode !== entry.mode)
        compareEntries(comparison, { next, path: `${folder}${entry.name}`, before: previous, after: entry });
    }
    for (const [name, entry] of known)
      compareEntries(comparison, { next, path: `${folder}${name}`, before: entry, after: undefined });
  }
  comparison.open = next;
}

function compareEntries(
  { files }: Comparison,
  {
    next,
    path,
    before,
    after,
  }: { next: FolderPair[]; path: string; before: TreeEntry | undefined; after: TreeEntry | undefined },
): void {
  const [oldFolder, newFolder] = [before, after].map((entry) => (entry?.type === 'tree' ? entry.oid : undefined));
  if (oldFolder !== undefined || newFolder !== undefined)
    next.push({ folder: `${path}/`, before: oldFolder, after: newFolder });
  const [oldFile, newFile] = [before, after].map((entry) => (entry?.type === 'tree' ? undefined : entry));
  const file = newFile ?? oldFile;
  if (!file) return;
  const status = oldFile && newFile ? 'modified' : newFile ? 'added' : 'removed';
  files.push({ path, status, additions: null, deletions: null, blob: file.oid });
}

const discard = (comparison: Comparison): void => {
  Object.assign(comparison, { open: [], files: [], count: -1 });
};

/** Whether the host counts the same number of files. If not, it detected a rename that is not visible here. */
function isExact(comparison: Comparison): boolean {
  const byBlob = Map.groupBy(
    comparison.files.filter(({ status }) => status !== 'modified'),
    ({ blob }) => blob,
  );
  const renamed = new Map<string, string>();
  for (const same of byBlob.values()) {
    if (new Set(same.map(({ status }) => status)).size < 2) continue;
    const [from, to] = [same.find(({ status }) => status === 'removed'), same.find(({ status }) => status === 'added')];
    // With several identical files, only the host can determine the renames.
    if (same.length > 2 || !from || !to) return false;
    renamed.set(from.path, to.path);
  }
  const targets = new Set(renamed.values());
  comparison.files = comparison.files
    .filter(({ path, status }) => !(status === 'removed' && renamed.has(path)))
    .map((file) => (file.status === 'added' && targets.has(file.path) ? { ...file, status: 'renamed' } : file));
  return comparison.files.length === comparison.count;
}

function changesOf({ additions, deletions, files }: Comparison): HostChanges {
  const lines = files.length === 1 ? { additions, deletions } : {};
  const ordered = files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return { additions, deletions, files: ordered.map(({ blob: _, ...file }) => ({ ...file, ...lines })) };
}
