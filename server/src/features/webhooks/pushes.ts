import { z } from 'zod';
import { type CodeHost, type HostCommit, type HostRef, HostRefused } from '#providers/code-host.ts';
import { commitFromPush } from '#providers/github/commit-shapes.ts';
import { repositoryFrom } from '#providers/github/shapes.ts';
import { retireRef } from '../findings/commands.ts';
import { ingestCommits } from '../ingest/commands.ts';
import { queueToolScan } from '../tools/commands.ts';
import type { Work } from './delivery.ts';
import { firstOr, hostOf, maybeSubject, type Subject } from './repositories.ts';

const pushEvent = z.object({
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  deleted: z.boolean().default(false),
  commits: z.array(z.looseObject({ id: z.string() })).default([]),
});
type Push = z.output<typeof pushEvent>;

const branches = 'refs/heads/';
const zeros = /^0+$/;
// An older Enterprise Server names 20 commits of a push, GitHub 2 048: from 20 on there may be more.
const maybeMore = 20;
// Beyond this many, what changed in each is left to the import.
const mostRead = 250;
const atOnce = 6;

/** A push to a branch of a tracked repository brings its commits, as the host tells them or as the push names them. */
export async function handlePush(work: Work): Promise<void> {
  const push = pushEvent.parse(work.payload);
  const { services, orgId } = work;
  const subject = await maybeSubject(work, repositoryFrom(work.payload.repository).pushedAt);
  if (!subject || !push.ref.startsWith(branches)) return;
  if (push.deleted || zeros.test(push.after)) return retire(work, subject, push.ref);
  const told = (isRefused: boolean) => push.commits.map((commit) => toldBy(commit, isRefused));
  const commits = await firstOr(work, async () => readPush(await hostOf(work, subject), subject, push), told);
  const branch = push.ref.slice(branches.length);
  await ingestCommits(services, orgId, subject.repositoryId, commits, branch);
  if (branch !== subject.defaultBranch) return;
  await services.database.withOrg(orgId, (tx) => queueToolScan(services, tx, orgId, subject.repositoryId));
}

const deleteEvent = z.object({ ref: z.string(), ref_type: z.string() });

/** A branch was deleted: what stood on it counts no more. */
export async function handleDelete(work: Work): Promise<void> {
  const { ref, ref_type } = deleteEvent.parse(work.payload);
  const subject = ref_type === 'branch' ? await maybeSubject(work) : undefined;
  if (subject) await retire(work, subject, `${branches}${ref}`);
}

const retire = ({ services, orgId }: Work, { repositoryId }: Subject, ref: string): Promise<void> =>
  services.database.withOrg(orgId, async (tx) => {
    await retireRef(services, tx, orgId, repositoryId, ref);
  });

// Changes by name only would keep the host's own from being filled in: they are taken where the host will not say more.
function toldBy(commit: unknown, isRefused: boolean): HostCommit {
  const { changes, ...rest } = commitFromPush(commit);
  return isRefused && changes ? { ...rest, changes } : rest;
}

async function readPush(host: CodeHost, { ref }: Subject, push: Push): Promise<HostCommit[]> {
  const named = [...new Set(push.commits.map((commit) => commit.id))];
  const isWhole = named.length > 0 && named.length < maybeMore;
  const compared = isWhole || zeros.test(push.before) ? [] : await compare(host, ref, push);
  const listed = new Map(compared.map((commit) => [commit.sha, commit]));
  const shas = [...new Set([...listed.keys(), ...named])];
  const read = await inOrder(shas.slice(-mostRead), atOnce, (sha) => host.getCommit(ref, sha));
  const older = shas.slice(0, -mostRead).map((sha) => listed.get(sha) ?? toldBy(byId(push, sha), false));
  return [...older, ...read];
}

// After a forced push the commit before it may be gone; those that are named are still there.
const compare = (host: CodeHost, ref: HostRef, { before, after, commits }: Push): Promise<HostCommit[]> =>
  host.compareCommits(ref, before, after).catch((error: unknown) => {
    if (error instanceof HostRefused && commits.length > 0) return [];
    throw error;
  });

const byId = (push: Push, sha: string) => push.commits.find((commit) => commit.id === sha);

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
