import { type CodeHost, HostRefused } from '#providers/code-host.ts';
import type { HostCommit, HostRef } from '../../../providers/host-facts.ts';
import { queueMailmap } from '../contributors/commands.ts';
import { ingestCommits } from '../ingest/commands.ts';
import type { WorkOf } from './delivery.ts';
import { type DeliveryRepository, firstOr, hostOf, maybeSubject } from './repositories.ts';
import { type BranchPush, pushReceived, refsDeleted } from './topics.ts';

type Push = WorkOf<'push'>['news'];

const branches = 'refs/heads/';
// Beyond this many, what changed in each is left to the import.
const mostRead = 250;
const atOnce = 6;

/** A push to a branch of a tracked repository brings its commits, as the host tells them or as the push names them. */
export async function handlePush(work: WorkOf<'push'>): Promise<void> {
  const { services, orgId, provider, news: push } = work;
  const subject = await maybeSubject(work, push.repository);
  if (!subject || !push.ref.startsWith(branches)) return;
  const { repositoryId } = subject;
  const repository = { ...subject, provider };
  if (push.after === null) {
    const deletion = pushedOf(work, []);
    return services.database.withOrg(orgId, async (tx) => {
      const publication = { services, tx, orgId };
      await services.topics.publish(publication, pushReceived, { repository, push: deletion, isToldOnce: false });
      await services.topics.publish(publication, refsDeleted, { repositoryId, refs: [push.ref] });
    });
  }
  const told = (isRefused: boolean) => ({
    commits: push.told().map((commit) => toldBy(commit, isRefused)),
    isWhole: push.isWhole,
    isForced: push.isForced ?? null,
    isToldOnce: false,
  });
  const read = async () => {
    const host = await hostOf(work, subject);
    const found = await readPush(host, subject, push, push.after ?? '');
    return { ...found, isToldOnce: host.evidence !== undefined && host.evidence.listPushes === undefined };
  };
  const { commits, isWhole, isForced, isToldOnce } = await firstOr(work, read, told);
  const branch = push.ref.slice(branches.length);
  const taken = { ...pushedOf(work, commits, isWhole), isForced };
  await ingestCommits(services, orgId, repositoryId, {
    commits,
    branch,
    also: async (tx) => {
      await services.topics.publish({ services, tx, orgId }, pushReceived, { repository, push: taken, isToldOnce });
      if (branch === subject.defaultBranch) await queueMailmap(services, tx, orgId, { repositoryId });
    },
  });
}

/** A branch was deleted: what stood on it counts no more. */
export async function handleDeleted(work: WorkOf<'ref_deleted'>): Promise<void> {
  const { services, orgId, news } = work;
  const subject = await maybeSubject(work, news.repository);
  if (!subject) return;
  const deleted = { repositoryId: subject.repositoryId, refs: [news.ref] };
  await services.database.withOrg(orgId, (tx) =>
    services.topics.publish({ services, tx, orgId }, refsDeleted, deleted),
  );
}

// Changes by name only would keep the host's own from being filled in: they are taken where the host will not say more.
function toldBy({ changes, ...rest }: HostCommit, isRefused: boolean): HostCommit {
  return isRefused && changes ? { ...rest, changes } : rest;
}

/** What is written down of a push. Without a time of the host's, it is ours. */
function pushedOf({ news, receivedAt }: WorkOf<'push'>, commits: readonly HostCommit[], isWhole = true): BranchPush {
  return {
    branch: news.ref.slice(branches.length),
    before: news.before,
    after: news.after,
    at: news.at ?? receivedAt.toISOString(),
    atKnown: news.at === undefined ? 'received' : 'host',
    pusher: news.pusher ?? null,
    isForced: news.isForced ?? null,
    shas: commits.map(({ sha }) => sha),
    isWhole,
    source: 'webhook',
  };
}

async function readPush(
  host: CodeHost,
  subject: DeliveryRepository,
  push: Push,
  after: string,
): Promise<{ commits: HostCommit[]; isWhole: boolean; isForced: boolean | null }> {
  const { ref, defaultBranch } = subject;
  const named = [...new Set(push.shas)];
  // A new branch of which not all is named is held against the one it will go to.
  const isOther = named.length > 0 && push.ref !== `${branches}${defaultBranch}`;
  const before = push.before ?? (isOther ? defaultBranch : null);
  const isAsked = !push.isWhole && before !== null;
  const answer = isAsked ? await compare(host, { ref, push, before, after }) : undefined;
  const compared = answer ?? [];
  const listed = new Map(compared.map((commit) => [commit.sha, commit]));
  const shas = [...new Set([...listed.keys(), ...named])];
  const read = await inOrder(shas.slice(-mostRead), atOnce, (sha) => host.getCommit(ref, sha));
  const older = shas.slice(0, -mostRead).flatMap((sha) => listed.get(sha) ?? toldOf(push, sha));
  return {
    commits: [...older, ...read],
    isWhole: push.isWhole || answer !== undefined,
    isForced: push.isForced ?? (await askForced(host, ref, push.before, after)),
  };
}

const askForced = async (
  host: CodeHost,
  ref: HostRef,
  before: string | null,
  after: string,
): Promise<boolean | null> =>
  before === null ? false : ((await host.evidence?.wasForced?.(ref, before, after)) ?? null);

// After a forced push the commit before it may be gone; those that are named are still there.
const compare = (
  host: CodeHost,
  { ref, push, before, after }: { ref: HostRef; push: Push; before: string; after: string },
): Promise<HostCommit[] | undefined> =>
  host.compareCommits(ref, before, after).catch((error: unknown) => {
    if (error instanceof HostRefused && push.shas.length > 0) return undefined;
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
