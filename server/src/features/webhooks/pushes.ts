import { type CodeHost, type HostCommit, type HostRef, HostRefused } from '#providers/code-host.ts';
import { retireRef } from '../findings/commands.ts';
import { ingestCommits } from '../ingest/commands.ts';
import { queueToolScan } from '../tools/commands.ts';
import type { Work, WorkOf } from './delivery.ts';
import { firstOr, hostOf, maybeSubject, type Subject } from './repositories.ts';

type Push = WorkOf<'push'>['news'];

const branches = 'refs/heads/';
// Beyond this many, what changed in each is left to the import.
const mostRead = 250;
const atOnce = 6;

/** A push to a branch of a tracked repository brings its commits, as the host tells them or as the push names them. */
export async function handlePush(work: WorkOf<'push'>): Promise<void> {
  const { services, orgId, news: push } = work;
  const subject = await maybeSubject(work, push.repository);
  if (!subject || !push.ref.startsWith(branches)) return;
  if (push.after === null) return retire(work, subject, push.ref);
  const told = (isRefused: boolean) => push.told().map((commit) => toldBy(commit, isRefused));
  const read = async () => readPush(await hostOf(work, subject), subject, push, push.after ?? '');
  const commits = await firstOr(work, read, told);
  const branch = push.ref.slice(branches.length);
  await ingestCommits(services, orgId, subject.repositoryId, commits, branch);
  if (branch !== subject.defaultBranch) return;
  await services.database.withOrg(orgId, (tx) => queueToolScan(services, tx, orgId, subject.repositoryId));
}

/** A branch was deleted: what stood on it counts no more. */
export async function handleDeleted(work: WorkOf<'ref_deleted'>): Promise<void> {
  const subject = await maybeSubject(work, work.news.repository);
  if (subject) await retire(work, subject, work.news.ref);
}

const retire = ({ services, orgId }: Work, { repositoryId }: Subject, ref: string): Promise<void> =>
  services.database.withOrg(orgId, async (tx) => {
    await retireRef(services, tx, orgId, repositoryId, ref);
  });

// Changes by name only would keep the host's own from being filled in: they are taken where the host will not say more.
function toldBy({ changes, ...rest }: HostCommit, isRefused: boolean): HostCommit {
  return isRefused && changes ? { ...rest, changes } : rest;
}

async function readPush(host: CodeHost, subject: Subject, push: Push, after: string): Promise<HostCommit[]> {
  const { ref, defaultBranch } = subject;
  const named = [...new Set(push.shas)];
  // A new branch of which not all is named is held against the one it will go to.
  const isOther = named.length > 0 && push.ref !== `${branches}${defaultBranch}`;
  const before = push.before ?? (isOther ? defaultBranch : null);
  const compared = push.isWhole || before === null ? [] : await compare(host, ref, push, before, after);
  const listed = new Map(compared.map((commit) => [commit.sha, commit]));
  const shas = [...new Set([...listed.keys(), ...named])];
  const read = await inOrder(shas.slice(-mostRead), atOnce, (sha) => host.getCommit(ref, sha));
  const older = shas.slice(0, -mostRead).flatMap((sha) => listed.get(sha) ?? toldOf(push, sha));
  return [...older, ...read];
}

// After a forced push the commit before it may be gone; those that are named are still there.
const compare = (host: CodeHost, ref: HostRef, push: Push, before: string, after: string): Promise<HostCommit[]> =>
  host.compareCommits(ref, before, after).catch((error: unknown) => {
    if (error instanceof HostRefused && push.shas.length > 0) return [];
    throw error;
  });

const toldOf = (push: Push, sha: string): HostCommit[] =>
  push
    .told()
    .filter((commit) => commit.sha === sha)
    .map((commit) => toldBy(commit, false));

/** Maps with at most `limit` at once; the first failure ends it. */
async function inOrder<Item, Result>(
  items: readonly Item[],
  limit: number,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const entries = items.entries();
  const worker = async () => {
    for (const [index, item] of entries) results[index] = await map(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
