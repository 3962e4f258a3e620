import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { HostEvidence, HostFileDifference, HostHeadPush, HostList, HostPush } from '#providers/host-evidence.ts';
import type { HostPage, HostRef } from '../host-facts.ts';
import { readAccess } from './access.ts';
import type { AccountLookup } from './accounts.ts';
import { readChecks } from './checks.ts';
import { changedFileFrom, differencesFrom, readCommit, readPush, shaOrNull } from './commit-shapes.ts';
import { createOrigins } from './origins.ts';
import { readContinued, readFullPage } from './paging.ts';
import { readProtection, readTagProtection } from './protection.ts';
import { readPullRequest } from './pull-request-shapes.ts';
import { readIterations, repositoryPath, wholeCommits } from './reads.ts';
import { list } from './shapes.ts';
import {
  autoCompleterFrom,
  dismissalsFrom,
  headUpdatesFrom,
  reviewersFrom,
  threadsFrom,
  votesFrom,
} from './threads.ts';
import type { AzureDevopsApi } from './transport.ts';

// Earlier pushes are omitted.
const MAX_PAGES = 80;
// Of a longer pull request, the newest commits: each needs a request.
const MAX_COMMITS_WITH_PARENTS = 250;
const day = 24 * 60 * 60 * 1000;

/** Reads evidence of changes. Votes apply to a pull request at a time and not to a commit. */
export function createEvidence(api: AzureDevopsApi, accounts: AccountLookup): HostEvidence {
  return {
    reviewsAreFor: 'time',
    wasForced: (ref, before, after) => wasForced(api, ref, before, after),

    async listPushes(ref, branch, since) {
      const { items, isWhole } = await readPushes(api, ref, { branch, since });
      const known: HostPush[] = [];
      for (const push of items) {
        const { before, after } = push;
        known.push({ ...push, isForced: before && after ? await wasForced(api, ref, before, after) : false });
      }
      return { items: known, isWhole };
    },

    pullsOf: createOrigins(api),

    async pullRequestCommits(ref, number) {
      const path = `${repositoryPath(ref)}/pullRequests/${number}/commits`;
      const { items, isWhole } = await readContinued(api, path, { query: { $top: 1000 } });
      const commits = await wholeCommits(api, ref, items.map(readCommit), MAX_COMMITS_WITH_PARENTS);
      return { items: (await accounts.commitsWith(commits)).reverse(), isWhole };
    },

    async pullRequestFiles(ref, number) {
      const last = (await readIterations(api, ref, number)).at(-1);
      if (!last) throw new HostRefused(404, 'Azure DevOps has no versions of the pull request');
      const { items, isWhole } = await readIterationChanges(api, ref, number, last.id);
      return { items: items.map(changedFileFrom), isWhole };
    },

    async pullRequestPushes(ref, { number, headRef, createdAt, mergedAt, isFromFork }) {
      const since = new Date(Date.parse(createdAt) - 90 * day).toISOString();
      const listed = isFromFork === false ? (await readPushes(api, ref, { branch: headRef, since })).items : [];
      const pushes: HostHeadPush[] = listed.flatMap(({ before, after, at, pusher }) =>
        after === null ? [] : [{ sha: after, before, at, atKnown: 'host', pusher }],
      );
      // The list has no pushes to forks. The versions of a pull request have them, without who pushed the first one.
      const updates = headUpdatesFrom(threadsFrom(await readThreads(api, ref, number)));
      const others = (await readIterations(api, ref, number)).flatMap(
        ({ sourceRefCommit, createdDate }): HostHeadPush[] => {
          const sha = sourceRefCommit?.commitId;
          if (sha === undefined || pushes.some((push) => push.sha === sha)) return [];
          return [
            { sha, at: createdDate, atKnown: 'after', pusher: updates.find((one) => one.sha === sha)?.pusher ?? null },
          ];
        },
      );
      return [...pushes, ...others].filter(({ at }) => mergedAt === null || at <= mergedAt).sort(byTime);
    },

    differenceOf: (ref, base, head) => readDifference(api, ref, base, head),

    async timelineOf(ref, number, read) {
      const path = `${repositoryPath(ref)}/pullRequests/${number}`;
      const threads = threadsFrom(read?.notes ?? (await readThreads(api, ref, number)));
      const found = readPullRequest((await api.json(path)).data);
      const votes = votesFrom(threads, reviewersFrom(found.reviewers ?? []));
      const workItems = await api.json(`${path}/workitems`).then(({ data }) => list.parse(data), unlessRefused);
      return {
        dismissals: dismissalsFrom(votes),
        mergeRequestedBy: found.autoCompleteSetBy ?? autoCompleterFrom(threads),
        // There is no merge queue.
        isQueued: false,
        linkedIssues: workItems?.length,
      };
    },

    protectionOf: (ref, branch) => readProtection(api, ref, branch),
    tagsAreProtected: (ref) => readTagProtection(api, ref),
    accessOf: (ref, branch) => readAccess(api, ref, branch),
    checksOf: (ref, sha) => readChecks(api, ref, sha),
  };
}

const readThreads = async (api: AzureDevopsApi, ref: HostRef, number: number): Promise<unknown[]> =>
  list.parse((await api.json(`${repositoryPath(ref)}/pullRequests/${number}/threads`)).data);

const difference = z.object({
  changes: z.array(z.unknown()).nullish(),
  commonCommit: z.string().nullish(),
  allChangesIncluded: z.boolean().nullish(),
});

const comparisonPath = (ref: HostRef): string => `${repositoryPath(ref)}/diffs/commits`;
const comparison = (base: string, target: string) => ({
  ...namedVersion('base', base),
  ...namedVersion('target', target),
});
const namedVersion = (side: 'base' | 'target', sha: string) => ({
  [`${side}Version`]: sha,
  [`${side}VersionType`]: 'commit',
});

/** Whether a push discarded commits; null if unknown. */
async function wasForced(api: AzureDevopsApi, ref: HostRef, before: string, after: string): Promise<boolean | null> {
  try {
    const query = { ...comparison(before, after), $top: 1 };
    const { commonCommit } = difference.parse((await api.json(comparisonPath(ref), { query })).data);
    // Without a common commit everything was replaced.
    return commonCommit !== before;
  } catch (error) {
    // The discarded commits may have been deleted, so that the result is unknown.
    if (error instanceof HostRefused) return null;
    throw error;
  }
}

const CHANGES_PER_PAGE = 2000;
const MAX_CHANGES = 20_000;

/** The files that differ between the merge base and `head`. The API has no hunks for them. */
async function readDifference(
  api: AzureDevopsApi,
  ref: HostRef,
  base: string,
  head: string,
): Promise<HostList<HostFileDifference>> {
  const changes: unknown[] = [];
  for (;;) {
    const query = { ...comparison(base, head), diffCommonCommit: true, $top: CHANGES_PER_PAGE, $skip: changes.length };
    const found = difference.parse((await api.json(comparisonPath(ref), { query })).data);
    if (!found.commonCommit) throw new HostRefused(404, 'The commits have no common history');
    const page = found.changes ?? [];
    changes.push(...page);
    const isWhole = page.length < CHANGES_PER_PAGE;
    if (isWhole || changes.length >= MAX_CHANGES) return { items: differencesFrom(changes), isWhole };
  }
}

const iterationChanges = z.object({ changeEntries: z.array(z.unknown()).nullish() });

async function readIterationChanges(
  api: AzureDevopsApi,
  ref: HostRef,
  number: number,
  iteration: number,
): Promise<HostList<HostFileDifference>> {
  const changes: unknown[] = [];
  const path = `${repositoryPath(ref)}/pullRequests/${number}/iterations/${iteration}/changes`;
  for (;;) {
    const query = { $top: CHANGES_PER_PAGE, $skip: changes.length, $compareTo: 0 };
    const page = iterationChanges.parse((await api.json(path, { query })).data).changeEntries ?? [];
    changes.push(...page);
    const isWhole = page.length < CHANGES_PER_PAGE;
    if (isWhole || changes.length >= MAX_CHANGES) return { items: differencesFrom(changes), isWhole };
  }
}

/** Lists the pushes to a branch, newest first, without `isForced`. Completed pull requests are pushes like others. */
async function readPushes(
  api: AzureDevopsApi,
  ref: HostRef,
  { branch, since }: { branch: string; since: string },
): Promise<HostList<HostPush>> {
  const items: HostPush[] = [];
  const full = `refs/heads/${branch}`;
  const query = {
    'searchCriteria.refName': full,
    'searchCriteria.includeRefUpdates': true,
    'searchCriteria.fromDate': since,
  };
  let page: string | null = null;
  for (let read = 0; read < MAX_PAGES; read += 1) {
    const found: HostPage<unknown> = await readFullPage(api, { path: `${repositoryPath(ref)}/pushes`, query }, page);
    for (const { date: at, pushedBy: pusher, refUpdates } of found.items.map(readPush)) {
      const update = refUpdates?.find(({ name }) => name === full);
      if (!update || at < since) continue;
      const [before, after] = [shaOrNull(update.oldObjectId), shaOrNull(update.newObjectId)];
      items.push({ before, after, at, isForced: null, pusher, activity: null });
    }
    page = found.next;
    if (page === null) return { items: items.toSorted(byTime), isWhole: true };
  }
  return { items: items.toSorted(byTime), isWhole: false };
}

const byTime = (one: { at: string }, other: { at: string }): number =>
  one.at < other.at ? 1 : one.at > other.at ? -1 : 0;

const unlessRefused = (error: unknown): undefined => {
  if (error instanceof HostRefused) return undefined;
  throw error;
};
