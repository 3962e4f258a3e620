import { HostRefused } from '#providers/code-host.ts';
import { differencesFrom } from '#providers/git-diff.ts';
import type { HostEvidence, HostHeadPush, HostList, HostPush } from '#providers/host-evidence.ts';
import type { HostRef } from '../host-facts.ts';
import { createAccess } from './access.ts';
import { commitFrom } from './commit-shapes.ts';
import { readTreeDifference } from './differences.ts';
import { activityTime, changedFileFrom, checkFrom, headPushesFrom, pushFrom, timelineFrom } from './evidence-shapes.ts';
import { countLinkedIssues } from './linked-issues.ts';
import { createOrigins } from './origins.ts';
import { readAllItems, readPage } from './paging.ts';
import { readProtection, readTagProtection } from './protection.ts';
import { pullRequestFrom } from './pull-request-shapes.ts';
import { commitsBetween, readTimeline, repositoryPath } from './reads.ts';
import type { GiteaApi } from './transport.ts';

// Earlier activities are omitted.
const MAX_PAGES = 80;
const day = 24 * 60 * 60 * 1000;

/** Reads evidence of changes. Reviews name the commit that was reviewed. */
export function createEvidence(api: GiteaApi, baseURL: string): HostEvidence {
  const pushesOf = (ref: HostRef, branch: string, since: string) => readPushes(api, ref, { branch, since });
  const commitOf = async (ref: HostRef, sha: string) =>
    commitFrom((await api.json(`${repositoryPath(ref)}/git/commits/${encodeURIComponent(sha)}`)).data);
  return {
    reviewsAreFor: 'commit',
    wasForced: (ref, before, after) => wasForced(api, ref, before, after),

    async listPushes(ref, branch, since) {
      const { items, isWhole } = await pushesOf(ref, branch, since);
      const known: HostPush[] = [];
      for (const push of items) {
        const { before, after } = push;
        known.push({ ...push, isForced: before && after ? await wasForced(api, ref, before, after) : false });
      }
      return { items: known, isWhole };
    },

    pullsOf: createOrigins(api, pushesOf),

    async pullRequestCommits(ref, number) {
      const query = { files: false, verification: true };
      const { items, isWhole } = await readAllItems(api, `${repositoryPath(ref)}/pulls/${number}/commits`, query);
      return { items: items.map(commitFrom).reverse(), isWhole };
    },

    async pullRequestFiles(ref, number) {
      const { items, isWhole } = await readAllItems(api, `${repositoryPath(ref)}/pulls/${number}/files`);
      return { items: items.map(changedFileFrom), isWhole };
    },

    async pullRequestPushes(ref, { number, headRef, createdAt, mergedAt, isFromFork }) {
      const since = new Date(Date.parse(createdAt) - 90 * day).toISOString();
      const listed = isFromFork === false ? (await pushesOf(ref, headRef, since)).items : [];
      const pushes: HostHeadPush[] = listed.flatMap(({ before, after, at, pusher }) =>
        after === null ? [] : [{ sha: after, before, at, atKnown: 'host', pusher }],
      );
      // The timeline begins with the pull request, and includes pushes to forks.
      const others = headPushesFrom(await readTimeline(api, ref, number)).filter(
        ({ sha }) => !pushes.some((push) => push.sha === sha),
      );
      return [...pushes, ...others].filter(({ at }) => mergedAt === null || at <= mergedAt).sort(byTime);
    },

    async differenceOf(ref, base, head) {
      const { parents } = await commitOf(ref, head);
      // Only the difference of a commit to its parent has hunks.
      if (parents?.length === 1 && parents[0] === base) {
        const text = await api.text(`${repositoryPath(ref)}/git/commits/${encodeURIComponent(head)}.diff`);
        return { items: differencesFrom(text), isWhole: true };
      }
      return readTreeDifference(api, ref, base, head);
    },

    async timelineOf(ref, number, read) {
      const events = await readTimeline(api, ref, number);
      const path = `${repositoryPath(ref)}/pulls/${number}`;
      const reviews = read?.notes ?? (await readAllItems(api, `${path}/reviews`)).items;
      const { title, body = '' } = pullRequestFrom((await api.json(path)).data);
      return { ...timelineFrom(events, reviews), linkedIssues: await countLinkedIssues(api, ref, `${title}\n${body}`) };
    },

    protectionOf: (ref, branch) => readProtection(api, ref, branch),
    tagsAreProtected: (ref) => readTagProtection(api, ref),
    accessOf: createAccess(api, baseURL),

    async checksOf(ref, sha) {
      const { items, isWhole } = await readAllItems(
        api,
        `${repositoryPath(ref)}/commits/${encodeURIComponent(sha)}/statuses`,
        { sort: 'oldest' },
      );
      if (!isWhole) throw new HostRefused(404, 'The commit has more statuses than can be read');
      return items.map((json) => checkFrom(json, sha));
    },
  };
}

/** Whether a push discarded commits; null if unknown. */
async function wasForced(api: GiteaApi, ref: HostRef, before: string, after: string): Promise<boolean | null> {
  try {
    return (await commitsBetween(api, ref, after, before)).length > 0;
  } catch (error) {
    // The discarded commits may have been deleted, so that the result is unknown.
    if (error instanceof HostRefused) return null;
    throw error;
  }
}

/** Lists pushes to a branch from the activities of the repository, newest first, without `isForced`. */
async function readPushes(
  api: GiteaApi,
  ref: HostRef,
  { branch, since }: { branch: string; since: string },
): Promise<HostList<HostPush>> {
  const items: HostPush[] = [];
  let page: string | null = null;
  for (let read = 0; read < MAX_PAGES; read += 1) {
    const found = await readPage(api, `${repositoryPath(ref)}/activities/feeds`, {}, page);
    items.push(...found.items.flatMap((json) => pushFrom(json, branch) ?? []).filter(({ at }) => at >= since));
    page = found.next;
    if (page === null || found.items.some((json) => activityTime(json) < since)) {
      // The feed has no start of a deleted branch: it is where the push before it ended.
      return { items: items.map((push, index) => startOf(push, items[index + 1])), isWhole: true };
    }
  }
  return { items, isWhole: false };
}

const startOf = (push: HostPush, earlier: HostPush | undefined): HostPush =>
  push.after === null ? { ...push, before: earlier?.after ?? null } : push;

const byTime = (one: { at: string }, other: { at: string }): number => (one.at < other.at ? 1 : -1);
