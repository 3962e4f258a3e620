import type { Services } from '#core/services.ts';
import { type CodeHost, HostLimited, type HostRef, HostRefused } from '#providers/code-host.ts';
import { ingestChanges, ingestCommits, ingestPullRequest } from '../ingest/commands.ts';
import { type Job, type Progress, type Source, saveProgress } from './progress.ts';

export interface Work {
  services: Services;
  job: Job;
  host: CodeHost;
  source: Source;
  ref: HostRef;
}

// GitHub asks for few requests at a time; more gains nothing once the server is the limit.
const atOnce = 6;
const filesBatch = 60;

/** Commits of the default branch, newest first. New ones that push pages along are met twice, never missed. */
export async function importCommits({ services, job, host, source, ref }: Work, progress: Progress): Promise<void> {
  let page = pageOf(progress);
  let done = page === null ? 0 : progress.commits_done;
  for (;;) {
    const found = await host.listCommits(ref, source.branch, page);
    await ingestCommits(services, job.orgId, job.repositoryId, found.items, source.branch);
    done += found.items.length;
    page = found.next;
    await saveProgress(services, job, {
      attempts: 0,
      commits_done: done,
      ...(found.total !== null && { commits_total: found.total }),
      ...(page === null ? { commits_total: done, phase: 'pull_requests', cursor: {} } : { cursor: { page } }),
    });
    if (page === null) break;
  }
  progress.cursor = {};
}

/** All pull requests with reviews and merge data, the last updated first. */
export async function importPullRequests({ services, job, host, ref }: Work, progress: Progress): Promise<void> {
  let page = pageOf(progress);
  let done = page === null ? 0 : progress.pull_requests_done;
  for (;;) {
    const found = await host.listPullRequests(ref, page);
    await inParallel(found.items, async ({ number }) => {
      const { pullRequest, reviews } = await host.getPullRequest(ref, number);
      await ingestPullRequest(services, job.orgId, job.repositoryId, pullRequest, reviews);
    });
    done += found.items.length;
    page = found.next;
    await saveProgress(services, job, {
      attempts: 0,
      pull_requests_done: done,
      ...(found.total !== null && { pull_requests_total: found.total }),
      ...(page === null ? { pull_requests_total: done, phase: 'files', cursor: {} } : { cursor: { page } }),
    });
    if (page === null) return;
  }
}

// An import that began under an earlier release has its page as a number.
const pageOf = ({ cursor }: Progress): string | null => (cursor.page === undefined ? null : String(cursor.page));

/** What each commit changed: one call a commit, so it comes last and may take its time. */
export async function importFiles({ services, job, host, ref }: Work): Promise<void> {
  const { total, missing } = await countFiles(services, job);
  let done = total - missing;
  await saveProgress(services, job, { files_total: total, files_done: done });
  for (;;) {
    const shas = await withoutFiles(services, job);
    if (shas.length === 0) return;
    const changes = await inParallel(shas, async (sha) => ({ sha, changes: await changesOf(host, ref, sha) }));
    await ingestChanges(services, job.orgId, job.repositoryId, changes);
    done += shas.length;
    await saveProgress(services, job, { attempts: 0, files_done: done, files_total: Math.max(total, done) });
  }
}

/** A commit that the host no longer knows (a branch rewritten) has no changes to tell. */
const changesOf = (host: CodeHost, ref: HostRef, sha: string) =>
  host.getCommit(ref, sha).then(
    (commit) => commit.changes,
    (error: unknown) => {
      if (error instanceof HostRefused && (error.status === 404 || error.status === 422)) return undefined;
      throw error;
    },
  );

const countFiles = (services: Services, { orgId, repositoryId }: Job) =>
  services.database.withOrg(orgId, async ({ db }) => {
    const rows = await db
      .selectFrom('commit')
      .where('org_id', '=', orgId)
      .where('repository_id', '=', repositoryId)
      .select((eb) => [
        eb.fn.countAll<number>().as('total'),
        eb.fn.countAll<number>().filterWhere('files', 'is', null).as('missing'),
      ])
      .executeTakeFirstOrThrow();
    return { total: Number(rows.total), missing: Number(rows.missing) };
  });

const withoutFiles = (services: Services, { orgId, repositoryId }: Job) =>
  services.database.withOrg(orgId, async ({ db }) => {
    const rows = await db
      .selectFrom('commit')
      .where('org_id', '=', orgId)
      .where('repository_id', '=', repositoryId)
      .where('files', 'is', null)
      .select('sha')
      .orderBy('committed_at', 'desc')
      .orderBy('sha', 'desc')
      .limit(filesBatch)
      .execute();
    return rows.map((row) => row.sha);
  });

/** Runs `task` over all items, a few at a time, in order of arrival; the first failure stops the rest. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  let failed = false;
  const worker = async () => {
    for (const [index, item] of queue) {
      if (failed) return;
      try {
        results[index] = await task(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  if (failures.length > 0) throw failures.find((failure) => failure instanceof HostLimited) ?? failures[0];
  return results;
}
