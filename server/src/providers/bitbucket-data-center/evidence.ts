import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { HostEvidence, HostHeadPush, HostList, HostPush } from '#providers/host-evidence.ts';
import type { HostRef } from '../host-facts.ts';
import { createAccess } from './access.ts';
import { activitiesFrom, headPushesFrom, readActivities, timelineFrom } from './activities.ts';
import { commitFrom } from './commit-shapes.ts';
import { commitsBetween } from './commits-between.ts';
import { changeFrom, diffsFrom, joinedDifference } from './diff-shapes.ts';
import { checkFrom, pushFrom, refChangeTime } from './evidence-shapes.ts';
import { createOrigins } from './origins.ts';
import { readAllItems, readPage } from './paging.ts';
import { commitPath, pullRequestPath, repositoryPath } from './paths.ts';
import { readProtection, readTagProtection } from './protection.ts';
import type { DataCenterApi } from './transport.ts';

// Earlier updates are omitted.
const MAX_PAGES = 80;
/** The instance returns no more builds of a commit. */
const MAX_BUILDS = 100;
const day = 24 * 60 * 60 * 1000;

const ancestor = z.object({ id: z.string() }).nullable();

/** Reads evidence of changes. Reviews name the commit that was reviewed. */
export function createEvidence(api: DataCenterApi, baseURL: string): HostEvidence {
  const pushesOf = (ref: HostRef, branch: string, since: string) => readPushes(api, ref, { branch, since });
  return {
    reviewsAreFor: 'commit',
    wasForced: (ref, before, after) => wasForced(api, ref, before, after),

    async listPushes(ref, branch, since) {
      const { items, isWhole } = await pushesOf(ref, branch, since);
      const known: HostPush[] = [];
      for (const push of items) known.push(await withForced(api, ref, push));
      return { items: known, isWhole };
    },

    pullsOf: createOrigins(api, pushesOf),

    async pullRequestCommits(ref, number) {
      const { items, isWhole } = await readAllItems(api, `${pullRequestPath(ref, number)}/commits`);
      return { items: items.map(commitFrom).reverse(), isWhole };
    },

    async pullRequestFiles(ref, number) {
      const { items, isWhole } = await readAllItems(api, `${pullRequestPath(ref, number)}/changes`);
      return { items: items.map(changeFrom).map(({ blob: _, ...file }) => file), isWhole };
    },

    async pullRequestPushes(ref, { number, headRef, createdAt, mergedAt, isFromFork }) {
      const since = new Date(Date.parse(createdAt) - 90 * day).toISOString();
      const listed = isFromFork === false ? (await pushesOf(ref, headRef, since)).items : [];
      const pushes: HostHeadPush[] = listed.flatMap(({ before, after, at, pusher }) =>
        after === null ? [] : [{ sha: after, before, at, atKnown: 'host', pusher }],
      );
      // Its activities begin with the pull request, and include pushes to forks.
      const others = headPushesFrom(await readActivities(api, ref, number)).filter(
        ({ sha }) => !pushes.some((push) => push.sha === sha),
      );
      return [...pushes, ...others].filter(({ at }) => mergedAt === null || at <= mergedAt).sort(byTime);
    },

    differenceOf: (ref, base, head) => readDifference(api, ref, base, head),

    async timelineOf(ref, number, read) {
      const [json, ...activities] = read?.notes ?? [];
      if (json !== undefined) return timelineFrom(json, activitiesFrom(activities));
      const { data } = await api.json(pullRequestPath(ref, number));
      return timelineFrom(data, await readActivities(api, ref, number));
    },

    protectionOf: (ref, branch) => readProtection(api, ref, branch),
    tagsAreProtected: (ref) => readTagProtection(api, ref),
    accessOf: createAccess(api, baseURL),

    async checksOf(ref, sha) {
      // The commit must be one of the repository: builds are listed for the whole instance.
      const { id } = commitFromSha((await api.json(commitPath(ref, sha))).data);
      const path = `/build-status/latest/commits/${encodeURIComponent(id)}`;
      const { items, isWhole } = await readAllItems(api, path, { orderBy: 'OLDEST' });
      if (!isWhole || items.length >= MAX_BUILDS)
        throw new HostRefused(404, 'The commit has more builds than the code host returns');
      return items.map((json) => checkFrom(json, sha));
    },
  };
}

const commitFromSha = (json: unknown): { id: string } => z.object({ id: z.string() }).parse(json);

/** The files that differ between the merge base of two commits and `head`, with their contents and hunks. */
async function readDifference(api: DataCenterApi, ref: HostRef, base: string, head: string) {
  const query = { otherCommitId: base };
  const since = ancestor.parse((await api.json(`${commitPath(ref, head)}/merge-base`, { query })).data)?.id;
  if (since === undefined) throw new HostRefused(404, 'The commits have no common history');
  const { items, isWhole } = await readAllItems(api, `${commitPath(ref, head)}/changes`, { since });
  const options = { since, contextLines: 3, whitespace: 'show', withComments: false };
  const { data } = await api.json(`${commitPath(ref, head)}/diff`, { query: options });
  return { items: joinedDifference(items.map(changeFrom), diffsFrom(data).items), isWhole };
}

/** Newer versions report forced updates; else the discarded commits are read. */
async function withForced(api: DataCenterApi, ref: HostRef, push: HostPush): Promise<HostPush> {
  if (push.isForced !== null || push.before === null || push.after === null) return push;
  return { ...push, isForced: await wasForced(api, ref, push.before, push.after) };
}

/** Whether a push discarded commits; null if unknown. */
async function wasForced(api: DataCenterApi, ref: HostRef, before: string, after: string): Promise<boolean | null> {
  try {
    return (await commitsBetween(api, ref, after, before)).length > 0;
  } catch (error) {
    // The discarded commits may have been deleted, so that the result is unknown.
    if (error instanceof HostRefused) return null;
    throw error;
  }
}

/** Lists updates of a branch, newest first, which needs the right to administer the repository. */
async function readPushes(
  api: DataCenterApi,
  ref: HostRef,
  { branch, since }: { branch: string; since: string },
): Promise<HostList<HostPush>> {
  const items: HostPush[] = [];
  let page: string | null = null;
  for (let read = 0; read < MAX_PAGES; read += 1) {
    const query = { ref: `refs/heads/${branch}` };
    const found = await readPage(api, `${repositoryPath(ref)}/ref-change-activities`, query, page);
    items.push(...found.items.flatMap((json) => pushFrom(json, branch) ?? []).filter(({ at }) => at >= since));
    page = found.next;
    if (page === null || found.items.some((json) => refChangeTime(json) < since))
      return { items, isWhole: !found.isCut };
  }
  return { items, isWhole: false };
}

const byTime = (one: { at: string }, other: { at: string }): number => (one.at < other.at ? 1 : -1);
