import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import { differencesFrom } from '#providers/git-diff.ts';
import type { HostEvidence, HostList, HostPush, MergedPullRequest } from '#providers/host-evidence.ts';
import type { HostRef } from '../host-facts.ts';
import { createAccess } from './access.ts';
import { accountsOf, changeFrom, changeOptions, type GerritChange, uploadsOf } from './change-shapes.ts';
import { changedFilesFrom, commitFrom } from './commit-shapes.ts';
import { readChanges } from './paging.ts';
import { readProtection, readTagProtection } from './protection.ts';
import { changePath, commitPath, commitsBetween, readChange, searchIn } from './reads.ts';
import { gitilesPath, nameOf, projectPath, time } from './shapes.ts';
import type { GerritApi } from './transport.ts';
import { checksFrom, timelineFrom } from './votes.ts';

// More changes with one commit would be a search for something else.
const MAX_CHANGES = 20;
const MAX_REFLOG = 5000;

/** Reads evidence of changes. Votes are for patch sets, each of which is a commit. */
export function createEvidence(api: GerritApi, baseURL: string): HostEvidence {
  const mergedWith = async (ref: HostRef, sha: string): Promise<GerritChange[]> =>
    // Only the last patch set is the one that was merged.
    (await readChangesOf(api, ref, sha, 'status:merged')).filter(({ current_revision: last }) => last === sha);
  return {
    reviewsAreFor: 'commit',
    namesMergeCommits: false,
    wasForced: (ref, before, after) => wasForced(api, ref, before, after),
    listPushes: (ref, branch, since) => readPushes(api, ref, branch, since),

    async pullsOf(ref, sha) {
      const own = await mergedWith(ref, sha);
      if (own.length > 0) return originsOf(own);
      const { parents } = commitFrom(await api.json(commitPath(ref, sha)), sha);
      const [first, ...merged] = parents ?? [];
      if (first === undefined || merged.length === 0) return [];
      // A submission by merge creates a commit without a change. It brought the change if the branch lacked it before.
      const found: GerritChange[] = [];
      for (const parent of merged) {
        if ((await commitsBetween(api, ref, first, parent)).length === 0) continue;
        found.push(...(await mergedWith(ref, parent)));
      }
      return originsOf(found);
    },

    async pullRequestCommits(ref, number) {
      const change = await readChange(api, ref, number);
      const { head } = change;
      if (head === undefined) throw noPatchSet();
      const accounts = accountsOf(change);
      const own = commitFrom(head.commit, head.sha, accounts);
      if ((own.parents ?? []).length < 2) return { items: [own], isWhole: true };
      // The commits that a merge commit under review brings.
      const list = await api.json(`${changePath(ref, number)}/revisions/${head.sha}/mergelist`);
      const brought = z
        .array(z.unknown())
        .parse(list ?? [])
        .map((json) => commitFrom(json, undefined, accounts));
      return { items: [...brought.toReversed(), own], isWhole: true };
    },

    async pullRequestFiles(ref, number) {
      const { head } = await readChange(api, ref, number);
      if (head === undefined) throw noPatchSet();
      const path = `${changePath(ref, number)}/revisions/${head.sha}/files/`;
      // Without a parent, the files of a merge commit are those that differ from an automatic merge.
      const isMerge = (commitFrom(head.commit, head.sha).parents ?? []).length > 1;
      return { items: changedFilesFrom(await api.json(path, isMerge ? { parent: 1 } : {})), isWhole: true };
    },

    pullRequestPushes: async (ref, { number }) => uploadsOf(await readChange(api, ref, number)),

    async differenceOf(ref, base, head) {
      const from = await readMergeBase(api, ref, base, head);
      if (from === head) return { items: [], isWhole: true };
      const text = await api.base64(`${gitilesPath(ref)}/+/${from}..${head}/`, { format: 'TEXT' });
      return { items: differencesFrom(text.toString('utf8')), isWhole: true };
    },

    async timelineOf(ref, number, read) {
      const [json] = read?.notes ?? [];
      return timelineFrom(json === undefined ? await readChange(api, ref, number) : changeFrom(json));
    },

    protectionOf: (ref, branch) => readProtection(api, ref, branch),
    tagsAreProtected: (ref) => readTagProtection(api, ref),
    accessOf: createAccess(api, baseURL),

    async checksOf(ref, sha) {
      const changes = await readChangesOf(api, ref, sha);
      return changes.flatMap((change) => checksFrom(change, sha));
    },
  };
}

const noPatchSet = (): HostRefused => new HostRefused(404, 'The change has no patch set that the account may see');

/**
 * The changes that were submitted. One that a direct push closed did not bring its commit to the branch. Throws
 * HostRefused 404 if the host does not tell which of the two happened.
 */
function originsOf(changes: readonly GerritChange[]): MergedPullRequest[] {
  if (changes.some(({ merge }) => merge === undefined))
    throw new HostRefused(404, 'The change does not tell whether it was submitted or pushed');
  return changes.flatMap(({ _number: number, branch, merge }) =>
    merge?.by === 'submit' ? [{ number, baseRef: branch }] : [],
  );
}

/** The changes with a patch set that is a commit. */
async function readChangesOf(api: GerritApi, ref: HostRef, sha: string, more = ''): Promise<GerritChange[]> {
  const search = searchIn(ref, `commit:${sha}${more === '' ? '' : ` ${more}`}`);
  const { items, next } = await readChanges(api, { search, options: changeOptions }, null);
  if (next !== null || items.length > MAX_CHANGES) throw new HostRefused(404, 'Too many changes have the commit');
  return items.map(changeFrom);
}

// Each poll lists the updates of the last day again. Of two commits, this never changes.
const forced = new Map<string, boolean>();
const MAX_REMEMBERED = 20_000;

/** Whether a push discarded commits; null if unknown. */
async function wasForced(api: GerritApi, ref: HostRef, before: string, after: string): Promise<boolean | null> {
  const key = `${api.baseURL} ${nameOf(ref)} ${before} ${after}`;
  const known = forced.get(key);
  if (known !== undefined) return known;
  try {
    const found = (await commitsBetween(api, ref, after, before)).length > 0;
    if (forced.size >= MAX_REMEMBERED) forced.clear();
    forced.set(key, found);
    return found;
  } catch (error) {
    // The discarded commits may have been deleted, so that the result is unknown.
    if (error instanceof HostRefused) return null;
    throw error;
  }
}

const entry = z.object({
  old_id: z.string(),
  new_id: z.string(),
  who: z.object({ name: z.string().nullish(), email: z.string().nullish(), date: time }),
});
const zeros = /^0+$/;

/**
 * Lists the updates of a branch from its reflog, newest first: submissions and pushes, which it does not tell apart.
 * Only owners of the project may read it. Throws HostRefused otherwise.
 */
async function readPushes(api: GerritApi, ref: HostRef, branch: string, since: string): Promise<HostList<HostPush>> {
  const path = `${projectPath(ref)}/branches/${encodeURIComponent(branch)}/reflog`;
  const found = z.array(entry).parse((await api.json(path, { n: MAX_REFLOG })) ?? []);
  const items: HostPush[] = [];
  for (const { old_id: old, new_id: now, who } of found) {
    if (who.date < since) continue;
    const [before, after] = [zeros.test(old) ? null : old, zeros.test(now) ? null : now];
    const isForced = before && after ? await wasForced(api, ref, before, after) : false;
    items.push({ before, after, at: who.date, isForced, pusher: pusherOf(who), activity: null });
  }
  return { items, isWhole: found.length < MAX_REFLOG };
}

/** The host writes `name|account-1000096@address` where git has an address. */
function pusherOf({ email }: { email?: string | null | undefined }): HostPush['pusher'] {
  const [, name = '', id] = /^([^|@]*)\|account-(\d+)@/.exec(email ?? '') ?? [];
  if (id === undefined) return null;
  return { login: name || `account-${id}`, hostId: id, avatarUrl: null, isAgent: false };
}

/** The merge base of two commits: where the commits of `head` that `base` lacks begin. */
async function readMergeBase(api: GerritApi, ref: HostRef, base: string, head: string): Promise<string> {
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
    const others = starts.filter((other) => other !== start);
    const ahead = await Promise.all(others.map((other) => commitsBetween(api, ref, start, other)));
    if (ahead.every((commits) => commits.length === 0)) return start;
  }
  throw new HostRefused(404, 'The commits have several merge bases');
}
