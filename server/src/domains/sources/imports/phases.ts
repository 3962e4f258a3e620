import type { Services } from '#core/services.ts';
import { runWithReserve } from '#providers/host-budget.ts';
import type { HostChanges, HostCommit, HostPage } from '../../../providers/host-facts.ts';
import { ingestChanges, ingestCommits, ingestPullRequest } from '../ingest/commands.ts';
import { readCommitChanges } from './changes.ts';
import { type ImportGap, isDataException, storeGaps } from './gaps.ts';
import { importEach } from './import-each.ts';
import { type ImportJob, type ImportProgress, saveProgress } from './progress.ts';
import type { ImportWork } from './work.ts';

const filesBatch = 60;
/** With more open commits or pull requests than this, the import requests them in batches. */
const BATCH_THRESHOLD = 50;
const listBatch = 300;

/**
 * Imports the commits of the default branch, newest first. New commits shift the pages, so that some are read twice but
 * none is missed. Returns whether all are imported.
 */
export async function importCommits(work: ImportWork, progress: ImportProgress): Promise<boolean> {
  const { services, job, host, source, ref, isOver } = work;
  let page = pageOf(progress);
  let done = page === null ? 0 : progress.commits_done;
  const read = (from: string | null) => runWithReserve(() => host.listCommits(ref, source.branch, from));
  let reading: ReturnType<typeof read> | undefined = read(page);
  while (reading) {
    const found: Awaited<typeof reading> = await reading;
    // Requests the next page while this one is stored.
    reading = found.next === null || isOver() ? undefined : read(found.next);
    reading?.catch(() => undefined);
    await ingestOrSkip(work, found.items);
    const unreadable = unreadableOf(found, 'commit');
    await services.database.withOrg(job.orgId, (tx) => storeGaps(tx, job, unreadable, []));
    done += found.items.length + unreadable.length;
    page = found.next;
    await saveProgress(services, job, {
      attempts: 0,
      commits_done: done,
      ...(found.total !== null && { commits_total: found.total }),
      ...(page === null ? { commits_total: done, phase: 'pull_requests', cursor: {} } : { cursor: { page } }),
    });
  }
  if (page !== null) return false;
  progress.cursor = {};
  return true;
}

const unreadableOf = ({ unreadable = [] }: HostPage<unknown>, kind: ImportGap['kind']): ImportGap[] =>
  unreadable.map((one) => ({ kind, ...one, isLasting: false }));

/** Stores commits together. If the database rejects one, stores each separately and skips the rejected ones. */
async function ingestOrSkip(work: ImportWork, commits: readonly HostCommit[]): Promise<void> {
  const { services, job, source } = work;
  const ingest = (selected: readonly HostCommit[]) =>
    ingestCommits(services, job.orgId, job.repositoryId, { commits: selected, branch: source.branch });
  try {
    await ingest(commits);
  } catch (error) {
    if (!isDataException(error)) throw error;
    const each = {
      kind: 'commit',
      nameOf: ({ sha }: HostCommit) => sha,
      task: (one: HostCommit) => ingest([one]),
    } as const;
    const { gaps, interruption } = await importEach(work, commits, each);
    await services.database.withOrg(job.orgId, (tx) => storeGaps(tx, job, gaps, []));
    if (interruption !== undefined) throw interruption;
  }
}

/** Imports pull requests with reviews and merge data, latest update first, until all are imported or time is over. */
export async function importPullRequests(work: ImportWork, progress: ImportProgress): Promise<void> {
  const { services, job, host, ref, isOver } = work;
  let page = pageOf(progress);
  let done = page === null ? 0 : progress.pull_requests_done;
  const before = new Set(progress.cursor.imported);
  for (;;) {
    const found = await host.listPullRequests(ref, page);
    const open = found.items.filter(({ number }) => !before.has(number));
    const listed = await readMany(work, open);
    const { gaps, imported, interruption } = await importEach(work, open, {
      kind: 'pull_request',
      nameOf: ({ number }) => String(number),
      async task({ number }) {
        const { pullRequest, reviews: known } = listed?.get(number) ?? (await host.getPullRequest(ref, number));
        const reviews = known ?? (await host.getReviews?.(ref, pullRequest));
        await ingestPullRequest(services, job.orgId, { repositoryId: job.repositoryId, pullRequest, reviews });
      },
    });
    const unreadable = unreadableOf(found, 'pull_request');
    await services.database.withOrg(job.orgId, (tx) => storeGaps(tx, job, [...gaps, ...unreadable], imported));
    if (interruption !== undefined) {
      for (const { item } of imported) before.add(Number(item));
      const cursor = { ...(page !== null && { page }), imported: [...before] };
      await saveProgress(services, job, { cursor, ...(imported.length > 0 && { attempts: 0 }) });
      throw interruption;
    }
    before.clear();
    done += found.items.length + unreadable.length;
    page = found.next;
    await saveProgress(services, job, {
      attempts: 0,
      pull_requests_done: done,
      ...(found.total !== null && { pull_requests_total: found.total }),
      ...(page === null ? { pull_requests_total: done, phase: 'files', cursor: {} } : { cursor: { page } }),
    });
    if (page === null || isOver()) return;
  }
}

/** Reads many pull requests in few requests; undefined for few of them or if the host does not support it. */
const readMany = async ({ host, ref }: ImportWork, pullRequests: readonly { number: number }[]) =>
  pullRequests.length > BATCH_THRESHOLD
    ? host.getPullRequests?.(
        ref,
        pullRequests.map(({ number }) => number),
      )
    : undefined;

// Imports that started with an earlier release store the page as a number.
const pageOf = ({ cursor }: ImportProgress): string | null => (cursor.page === undefined ? null : String(cursor.page));

/**
 * Imports the changed files of each commit. This needs up to one request per commit, so it runs after the histories of
 * all repositories. Returns whether all are imported.
 */
export async function importFiles(work: ImportWork): Promise<boolean> {
  const { services, job, host, ref, isOver } = work;
  const { total, missing } = await countFiles(services, job);
  let done = total - missing;
  await saveProgress(services, job, { files_total: total, files_done: done });
  let isListing = host.listChanges !== undefined && missing > BATCH_THRESHOLD;
  for (;;) {
    const shas = await withoutFiles(services, job, isListing ? listBatch : filesBatch);
    if (shas.length === 0) return true;
    const listed = isListing ? await importLists(work, shas) : new Set<string>();
    // Stops batch requests if the host returned less than half of the commits.
    isListing &&= listed.size > shas.length / 2;
    const open = shas.filter((sha) => !listed.has(sha)).slice(0, filesBatch);
    const { results, gaps, interruption } = await importEach(work, open, {
      kind: 'files',
      nameOf: (sha) => sha,
      task: async (sha) => ({ sha, changes: await readCommitChanges(host, ref, sha) }),
    });
    await ingestChanges(services, job.orgId, job.repositoryId, results);
    await services.database.withOrg(job.orgId, (tx) => storeGaps(tx, job, gaps, []));
    if (interruption !== undefined) throw interruption;
    done += listed.size + open.length;
    await saveProgress(services, job, { attempts: 0, files_done: done, files_total: Math.max(total, done) });
    if (isOver()) return false;
  }
}

/** Imports the changes that the host returns in batches. Returns the commits it returned. */
async function importLists({ services, job, host, ref }: ImportWork, shas: readonly string[]): Promise<Set<string>> {
  const found = (await host.listChanges?.(ref, shas)) ?? new Map<string, HostChanges>();
  const listed = [...found].map(([sha, changes]) => ({ sha, changes }));
  await ingestChanges(services, job.orgId, job.repositoryId, listed);
  return new Set(found.keys());
}

const countFiles = (services: Services, { orgId, repositoryId }: ImportJob) =>
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

const withoutFiles = (services: Services, { orgId, repositoryId }: ImportJob, limit: number) =>
  services.database.withOrg(orgId, async ({ db }) => {
    const rows = await db
      .selectFrom('commit')
      .where('org_id', '=', orgId)
      .where('repository_id', '=', repositoryId)
      .where('files', 'is', null)
      // Skips recorded gaps, which are retried separately.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('import_gap as g')
              .where('g.org_id', '=', orgId)
              .where('g.repository_id', '=', repositoryId)
              .where('g.kind', '=', 'files')
              .whereRef('g.item', '=', 'commit.sha'),
          ),
        ),
      )
      .select('sha')
      .orderBy('committed_at', 'desc')
      .orderBy('sha', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => row.sha);
  });
