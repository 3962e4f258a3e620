import { HostRefused } from '#providers/code-host.ts';
import { differencesFrom } from '#providers/git-diff.ts';
import type { HostEvidence } from '#providers/host-evidence.ts';
import { createAccess } from './access.ts';
import { changedFilesFrom, commitFrom } from './commit-shapes.ts';
import {
  checkFrom,
  headPushesFrom,
  mergedBitbucketPullRequest,
  protectionFrom,
  pullRequestIdFrom,
} from './evidence-shapes.ts';
import { activityFrom } from './pull-request-shapes.ts';
import { readAllPages, repositoryPathOf } from './reads.ts';
import { type BitbucketTransport, pathSegment } from './transport.ts';

const perPage = 100;
const MAX_COMMITS = 1000;
const filesPerPage = 500;
const MAX_FILES = 5_000;
const MAX_DIFF_BYTES = 8 * 1024 * 1024;
// The maximum page size of Bitbucket for the activity of a pull request.
const activitiesPerPage = 50;

/** Reads evidence of changes. Bitbucket has no list of pushes and no time of a revoked approval. */
export function createEvidence(transport: BitbucketTransport): HostEvidence {
  const { bytes, json } = transport;
  return {
    reviewsAreFor: 'commit',

    async pullsOf(ref, sha) {
      const path = `${repositoryPathOf(ref)}/commit/${pathSegment(sha)}/pullrequests`;
      const { values } = await readAllPages(transport, path, { pagelen: perPage });
      const found = [];
      for (const id of values.map(pullRequestIdFrom))
        found.push(mergedBitbucketPullRequest(await json(`${repositoryPathOf(ref)}/pullrequests/${id}`)));
      return found.flatMap((origin) => origin ?? []);
    },

    async pullRequestCommits(ref, number) {
      const path = `${repositoryPathOf(ref)}/pullrequests/${number}/commits`;
      const { values, isWhole } = await readAllPages(transport, path, { pagelen: perPage }, MAX_COMMITS);
      return { items: values.map(commitFrom).reverse(), isWhole };
    },

    async pullRequestFiles(ref, number) {
      const path = `${repositoryPathOf(ref)}/pullrequests/${number}/diffstat`;
      const { values, isWhole } = await readAllPages(transport, path, { pagelen: filesPerPage }, MAX_FILES);
      return { items: changedFilesFrom(values), isWhole };
    },

    async pullRequestPushes(ref, { number, headSha }) {
      const path = `${repositoryPathOf(ref)}/pullrequests/${number}`;
      const [entries, commits] = await Promise.all([
        readAllPages(transport, `${path}/activity`, { pagelen: activitiesPerPage }),
        readAllPages(transport, `${path}/commits`, { pagelen: perPage }, MAX_COMMITS),
      ]);
      const shas = [headSha, ...commits.values.map((commit) => commitFrom(commit).sha)];
      return headPushesFrom(entries.values.map(activityFrom), shas);
    },

    async differenceOf(ref, base, head) {
      // In a range, the first commit is the newer one.
      const path = `${repositoryPathOf(ref)}/diff/${pathSegment(`${head}..${base}`)}`;
      const text = await bytes(path, { query: { topic: 'true' }, size: MAX_DIFF_BYTES });
      return { items: differencesFrom(text.toString('utf8')), isWhole: true };
    },

    // Bitbucket has no merge requests in advance and no linked issues: tickets are named in the texts.
    timelineOf: async () => ({ dismissals: [], mergeRequestedBy: undefined, isQueued: false, linkedIssues: 0 }),

    async protectionOf(ref, branch) {
      const path = `${repositoryPathOf(ref)}/branch-restrictions`;
      const { values, isWhole } = await readAllPages(transport, path, { pagelen: perPage }, MAX_COMMITS);
      if (!isWhole) throw new HostRefused(404, 'Bitbucket has more restrictions than can be read');
      return protectionFrom(branch, values);
    },

    // Bitbucket has no protection of tags.
    tagsAreProtected: async () => false,

    accessOf: createAccess(transport),

    async checksOf(ref, sha) {
      const path = `${repositoryPathOf(ref)}/commit/${pathSegment(sha)}/statuses`;
      const { values } = await readAllPages(transport, path, { pagelen: perPage });
      return values.map((status) => checkFrom(status, sha));
    },
  };
}
