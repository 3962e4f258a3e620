import { HostRefused } from '#providers/code-host.ts';
import type { HostCheck, HostEvidence, HostHeadPush, HostPush } from '#providers/host-evidence.ts';
import type { HostRef } from '../host-facts.ts';
import { createAccess } from './access.ts';
import type { AccountLookup } from './accounts.ts';
import { commitFrom } from './commit-shapes.ts';
import {
  approversFrom,
  checkFrom,
  commitShaFrom,
  differencesFrom,
  mergedRequestFrom,
  pipelineFrom,
  pushFrom,
  timelineFrom,
  versionFrom,
  withoutOwnStatus,
} from './evidence-shapes.ts';
import { readAllItems, readPage } from './paging.ts';
import { protectionFrom } from './protection-shapes.ts';
import { notesOf, projectOf } from './reads.ts';
import type { GitlabApi } from './transport.ts';

// Earlier events are omitted.
const MAX_PAGES = 40;
// The default maximum number of files that GitLab lists for a merge request.
const MAX_FILES = 1_000;
const day = 24 * 60 * 60 * 1000;

/** Reads evidence of changes. Approvals on GitLab apply to a merge request at a time and not to a commit. */
export function createEvidence(
  ask: GitlabApi,
  { accounts, baseURL }: { accounts: AccountLookup; baseURL: string },
): HostEvidence {
  return {
    reviewsAreFor: 'time',
    wasForced: (ref, before, after) => wasForced(ask, ref, before, after),

    async listPushes(ref, branch, since) {
      const { items, isWhole } = await pushesOf(ask, { ref, branch, since });
      const known: HostPush[] = [];
      for (const push of items) {
        const { before, after } = push;
        known.push({ ...push, isForced: before && after ? await wasForced(ask, ref, before, after) : false });
      }
      return { items: known, isWhole };
    },

    async pullsOf(ref, sha) {
      const path = `${projectOf(ref)}/repository/commits/${encodeURIComponent(sha)}/merge_requests`;
      return (await readAllItems(ask, path)).flatMap((json) => mergedRequestFrom(json) ?? []);
    },

    async pullRequestCommits(ref, number) {
      const found = await readAllItems(ask, `${projectOf(ref)}/merge_requests/${number}/commits`);
      const unresolved = found.map((json) => commitFrom(json));
      const known = await accounts.look(
        `${ref.owner}/${ref.name}`,
        unresolved.map(({ sha, author: { email } }) => ({ sha, email })),
      );
      return { items: found.map((json) => commitFrom(json, known)).reverse(), isWhole: true };
    },

    async pullRequestFiles(ref, number) {
      const diffs = await readAllItems(ask, `${projectOf(ref)}/merge_requests/${number}/diffs`);
      return { items: differencesFrom({ diffs }).items, isWhole: diffs.length < MAX_FILES };
    },

    async pullRequestPushes(ref, { number, headRef, createdAt, mergedAt, isFromFork }) {
      const since = new Date(Date.parse(createdAt) - 90 * day).toISOString();
      const pushed = isFromFork ? [] : (await pushesOf(ask, { ref, branch: headRef, since })).items;
      const pushes: HostHeadPush[] = pushed.flatMap(({ before, after, at, pusher }) =>
        after === null ? [] : [{ sha: after, before, at, atKnown: 'host', pusher }],
      );
      // Versions have no pusher, but include pushes to forks.
      const versions = (await readAllItems(ask, `${projectOf(ref)}/merge_requests/${number}/versions`)).map(
        versionFrom,
      );
      const others = versions.filter(({ sha }) => !pushes.some((push) => push.sha === sha));
      return [...pushes, ...others].filter(({ at }) => mergedAt === null || at <= mergedAt).sort(byTime);
    },

    async differenceOf(ref, base, head) {
      const query = { from: base, to: head, straight: false };
      return differencesFrom((await ask(`${projectOf(ref)}/repository/compare`, { query })).data);
    },

    async timelineOf(ref, number, read) {
      const path = `${projectOf(ref)}/merge_requests/${number}`;
      const notes = read?.notes ?? (await notesOf(ask, ref, number));
      const approvers = await ask(`${path}/approvals`).then(({ data }) => approversFrom(data), unlessRefused);
      const issues = await readAllItems(ask, `${path}/closes_issues`).catch(unlessRefused);
      return { ...timelineFrom(notes, approvers), linkedIssues: issues?.length };
    },

    async protectionOf(ref, branch) {
      const project = projectOf(ref);
      const branchPath = `${project}/protected_branches/${encodeURIComponent(branch)}`;
      const [settings, protection, approvals, rules] = await Promise.all([
        ask(project).then(({ data }) => data),
        ask(branchPath).then(({ data }) => data, nullIfUnprotected),
        ask(`${project}/approvals`).then(({ data }) => data, unlessRefused),
        readAllItems(ask, `${project}/approval_rules`).catch(unlessRefused),
      ]);
      return protectionFrom(branch, { settings, protection, approvals, rules });
    },

    // Maintainers can delete every tag, also a protected one.
    tagsAreProtected: async () => false,

    accessOf: createAccess(ask, baseURL),

    checksOf: (ref, sha) => checksOf(ask, ref, sha),
  };
}

/** Whether a push discarded commits; null if unknown. */
const wasForced = async (ask: GitlabApi, ref: HostRef, before: string, after: string): Promise<boolean | null> => {
  try {
    const query = new URLSearchParams([
      ['refs[]', before],
      ['refs[]', after],
    ]);
    const { data } = await ask(`${projectOf(ref)}/repository/merge_base?${query}`);
    return commitShaFrom(data) !== before;
  } catch (error) {
    // The discarded commits may have been deleted, so that the result is unknown.
    if (error instanceof HostRefused) return null;
    throw error;
  }
};

/** Lists pushes without `isForced`, which needs a request for each. */
const pushesOf = async (ask: GitlabApi, { ref, branch, since }: { ref: HostRef; branch: string; since: string }) => {
  const items: HostPush[] = [];
  let page: string | null = null;
  // The parameter `after` excludes the day itself.
  const after = new Date(Date.parse(since) - day).toISOString().slice(0, 10);
  for (let read = 0; read < MAX_PAGES; read += 1) {
    const found = await readPage(ask, `${projectOf(ref)}/events`, { action: 'pushed', after, sort: 'desc' }, page);
    items.push(...found.items.flatMap((json) => pushFrom(json, branch) ?? []).filter(({ at }) => at >= since));
    page = found.next;
    if (page === null) return { items, isWhole: true };
  }
  return { items, isWhole: false };
};

const checksOf = async (ask: GitlabApi, ref: HostRef, sha: string): Promise<HostCheck[]> => {
  const found = (await readAllItems(ask, `${projectOf(ref)}/pipelines`, { sha })).map(pipelineFrom);
  await refuseTrialPipelines(ask, ref, sha);
  const checks: HostCheck[] = [];
  const commit = `${projectOf(ref)}/repository/commits/${encodeURIComponent(sha)}`;
  for (const { id } of found) {
    const check = checkFrom((await ask(`${projectOf(ref)}/pipelines/${id}`)).data);
    checks.push(...withoutOwnStatus(check, await readAllItems(ask, `${commit}/statuses`, { pipeline_id: id })));
  }
  return checks;
};

/** Throws HostRefused if a pipeline may have run on a test merge of the commit: GitLab does not report that commit. */
const refuseTrialPipelines = async (ask: GitlabApi, ref: HostRef, sha: string): Promise<void> => {
  const requests = await readAllItems(
    ask,
    `${projectOf(ref)}/repository/commits/${encodeURIComponent(sha)}/merge_requests`,
  );
  for (const { number } of requests.flatMap((json) => mergedRequestFrom(json) ?? [])) {
    const others = await readAllItems(ask, `${projectOf(ref)}/merge_requests/${number}/pipelines`);
    if (others.map(pipelineFrom).some(({ isOfTrial }) => isOfTrial)) {
      throw new HostRefused(404, 'GitLab does not say which commit a pipeline of a merged result was for');
    }
  }
};

const byTime = (one: { at: string }, other: { at: string }): number => (one.at < other.at ? 1 : -1);

const unlessRefused = (error: unknown): undefined => {
  if (error instanceof HostRefused) return undefined;
  throw error;
};

/** Returns null for a branch that is not protected. Rethrows a missing permission. */
const nullIfUnprotected = (error: unknown): null => {
  if (error instanceof HostRefused && error.status === 404) return null;
  throw error;
};
