import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { HostFileDifference, HostList } from '#providers/host-evidence.ts';
import type { HostRef } from '../host-facts.ts';
import { commitsBetween, repositoryPath } from './reads.ts';
import type { GiteaApi } from './transport.ts';

const tree = z.object({
  tree: z
    .array(
      z.object({ path: z.string(), mode: z.string(), type: z.string(), sha: z.string(), size: z.number().nullish() }),
    )
    .nullish(),
  truncated: z.boolean().nullish(),
});
type Entry = NonNullable<z.output<typeof tree>['tree']>[number];

// The default maximum of an instance (DEFAULT_GIT_TREES_PER_PAGE).
const entriesPerPage = 1000;
// Further entries of a tree are omitted.
const MAX_TREE_PAGES = 100;

/** Reads all entries of the tree of a commit. */
export async function readTree(api: GiteaApi, ref: HostRef, commit: string): Promise<HostList<Entry>> {
  const items: Entry[] = [];
  for (let page = 1; page <= MAX_TREE_PAGES; page += 1) {
    const query = { recursive: true, per_page: entriesPerPage, page };
    const { data } = await api.json(`${repositoryPath(ref)}/git/trees/${encodeURIComponent(commit)}`, { query });
    const found = tree.parse(data);
    items.push(...(found.tree ?? []));
    // Instances name a page that another one follows truncated.
    if (!found.truncated || (found.tree ?? []).length === 0) return { items, isWhole: true };
  }
  return { items, isWhole: false };
}

/**
 * The files that differ between the merge base of two commits and `head`, by the contents of their trees. A moved file
 * with the same content is a rename. The API has no hunks for two commits.
 */
export async function readTreeDifference(
  api: GiteaApi,
  ref: HostRef,
  base: string,
  head: string,
): Promise<HostList<HostFileDifference>> {
  const from = await readMergeBase(api, ref, base, head);
  if (from === head) return { items: [], isWhole: true };
  const [before, after] = [await readTree(api, ref, from), await readTree(api, ref, head)];
  return { items: differencesOf(before.items, after.items), isWhole: before.isWhole && after.isWhole };
}

/** The merge base of two commits: where the commits of `head` that `base` lacks begin. */
async function readMergeBase(api: GiteaApi, ref: HostRef, base: string, head: string): Promise<string> {
  const own = await commitsBetween(api, ref, base, head);
  if (own.length === 0) return head;
  const shas = new Set(own.map(({ sha }) => sha));
  const starts = [...new Set(own.flatMap(({ parents }) => parents ?? []))].filter((sha) => !shas.has(sha));
  const [only] = starts;
  if (only === undefined) throw new HostRefused(404, 'The commits have no common history');
  if (starts.length === 1) return only;
  if (starts.includes(base)) return base;
  // Several merges of the target into the branch: the last one contains the others.
  for (const start of starts) {
    const ahead = await Promise.all(
      starts.filter((other) => other !== start).map((other) => commitsBetween(api, ref, start, other)),
    );
    if (ahead.every((commits) => commits.length === 0)) return start;
  }
  throw new HostRefused(404, 'The commits have several merge bases');
}

function differencesOf(before: readonly Entry[], after: readonly Entry[]): HostFileDifference[] {
  const isFile = ({ type }: Entry): boolean => type !== 'tree';
  const [old, now] = [before, after].map((entries) => new Map(entries.filter(isFile).map((one) => [one.path, one])));
  const same = (one: Entry | undefined, other: Entry): boolean => one?.sha === other.sha && one.mode === other.mode;
  const removed = [...(old?.values() ?? [])].filter(({ path }) => !now?.has(path));
  const found: HostFileDifference[] = [];
  for (const entry of now?.values() ?? []) {
    const earlier = old?.get(entry.path);
    if (same(earlier, entry)) continue;
    const moved = earlier === undefined ? removed.findIndex(({ sha }) => sha === entry.sha) : -1;
    const [source] = moved < 0 ? [] : removed.splice(moved, 1);
    found.push({
      path: entry.path,
      previousPath: source?.path ?? null,
      status: earlier !== undefined ? 'modified' : source === undefined ? 'added' : 'renamed',
      blob: entry.sha,
      patch: source === undefined ? null : '',
    });
  }
  const rest = removed.map(
    ({ path, sha }): HostFileDifference => ({ path, previousPath: null, status: 'removed', blob: sha, patch: null }),
  );
  return [...found, ...rest];
}
