import { type CodeHost, HostRefused } from '#providers/code-host.ts';
import type { HostCommit, HostRef } from '../../../providers/host-facts.ts';
import { queueMailmap } from '../contributors/commands.ts';
import { ingestCommits } from '../ingest/commands.ts';
import type { WebhookWork } from './delivery.ts';
import { type DeliveryRepository, deliveryHost, maybeDeliveryRepository, readHostOrPayload } from './repositories.ts';
import { type BranchPush, pushReceived, refsDeleted } from './topics.ts';

type Push = WebhookWork<'push'>['hostEvent'];

const branches = 'refs/heads/';
// The changes of further commits are read by the import.
const MAX_READ_COMMITS = 250;
const CONCURRENCY = 6;

/** Imports the commits of a push to a branch of an enabled repository, from the host or else from the payload. */
export async function handlePush(work: WebhookWork<'push'>): Promise<void> {
  const { services, orgId, provider, hostEvent: push } = work;
  const subject = await maybeDeliveryRepository(work, push.repository);
  if (!subject || !push.ref.startsWith(branches)) return;
  const { repositoryId } = subject;
  const repository = { ...subject, provider };
  if (push.after === null) {
    const deletion = pushFrom(work, []);
    return services.database.withOrg(orgId, async (tx) => {
      const publication = { services, tx, orgId };
      await services.topics.publish(publication, pushReceived, { repository, push: deletion, hostListsPushes: true });
      await services.topics.publish(publication, refsDeleted, { repositoryId, refs: [push.ref] });
    });
  }
  const fromPayload = (isRefused: boolean) => ({
    commits: push.parsePayload().map((commit) => payloadCommit(commit, isRefused)),
    isWhole: push.isWhole,
    isForced: push.isForced ?? null,
    // Unknown. A pusher that is stored without need does no harm.
    hostListsPushes: false,
  });
  const read = async () => {
    const host = await deliveryHost(work, subject);
    const found = await readPush(host, subject, push, push.after ?? '');
    return { ...found, hostListsPushes: host.evidence === undefined || host.evidence.listPushes !== undefined };
  };
  const { commits, isWhole, isForced, hostListsPushes } = await readHostOrPayload(work, read, fromPayload);
  const branch = push.ref.slice(branches.length);
  const received = { ...pushFrom(work, commits, isWhole), isForced };
  await ingestCommits(services, orgId, repositoryId, {
    commits,
    branch,
    also: async (tx) => {
      await services.topics.publish({ services, tx, orgId }, pushReceived, {
        repository,
        push: received,
        hostListsPushes,
      });
      if (branch === subject.defaultBranch) await queueMailmap(services, tx, orgId, { repositoryId });
    },
  });
}

/** Announces a deleted branch, whose findings no longer count. */
export async function handleRefDeleted(work: WebhookWork<'ref_deleted'>): Promise<void> {
  const { services, orgId, hostEvent } = work;
  const subject = await maybeDeliveryRepository(work, hostEvent.repository);
  if (!subject) return;
  const deleted = { repositoryId: subject.repositoryId, refs: [hostEvent.ref] };
  await services.database.withOrg(orgId, (tx) =>
    services.topics.publish({ services, tx, orgId }, refsDeleted, deleted),
  );
}

// The payload contains only file names, which would prevent reading the full changes later. They are used only if the
// host denies access.
function payloadCommit({ changes, ...commit }: HostCommit, isRefused: boolean): HostCommit {
  return isRefused && changes ? { ...commit, changes } : commit;
}

/** Creates the record of a push, with the time of receipt if the host reports none. */
function pushFrom(
  { hostEvent, receivedAt }: WebhookWork<'push'>,
  commits: readonly HostCommit[],
  isWhole = true,
): BranchPush {
  return {
    branch: hostEvent.ref.slice(branches.length),
    before: hostEvent.before,
    after: hostEvent.after,
    at: hostEvent.at ?? receivedAt.toISOString(),
    atKnown: hostEvent.at === undefined ? 'received' : 'host',
    pusher: hostEvent.pusher ?? null,
    isForced: hostEvent.isForced ?? null,
    shas: commits.map(({ sha }) => sha),
    isWhole,
    source: 'webhook',
    activity: null,
  };
}

async function readPush(
  host: CodeHost,
  subject: DeliveryRepository,
  push: Push,
  after: string,
): Promise<{ commits: HostCommit[]; isWhole: boolean; isForced: boolean | null }> {
  const { ref, defaultBranch } = subject;
  const payloadShas = [...new Set(push.shas)];
  // A new branch with an incomplete commit list is compared with the default branch.
  const isOtherBranch = payloadShas.length > 0 && push.ref !== `${branches}${defaultBranch}`;
  const before = push.before ?? (isOtherBranch ? defaultBranch : null);
  const needsComparison = !push.isWhole && before !== null;
  const comparison = needsComparison ? await compare(host, { ref, push, before, after }) : undefined;
  const compared = comparison ?? [];
  const listed = new Map(compared.map((commit) => [commit.sha, commit]));
  const shas = [...new Set([...listed.keys(), ...payloadShas])];
  const read = await mapConcurrently(shas.slice(-MAX_READ_COMMITS), CONCURRENCY, (sha) => host.getCommit(ref, sha));
  const older = shas.slice(0, -MAX_READ_COMMITS).flatMap((sha) => listed.get(sha) ?? payloadCommitsOf(push, sha));
  return {
    commits: [...older, ...read],
    isWhole: push.isWhole || comparison !== undefined,
    isForced: push.isForced ?? (await readForced(host, ref, push.before, after)),
  };
}

const readForced = async (
  host: CodeHost,
  ref: HostRef,
  before: string | null,
  after: string,
): Promise<boolean | null> =>
  before === null ? false : ((await host.evidence?.wasForced?.(ref, before, after)) ?? null);

// After a forced push the previous commit may no longer exist; the commits of the payload do.
const compare = (
  host: CodeHost,
  { ref, push, before, after }: { ref: HostRef; push: Push; before: string; after: string },
): Promise<HostCommit[] | undefined> =>
  host.compareCommits(ref, before, after).catch((error: unknown) => {
    if (error instanceof HostRefused && push.shas.length > 0) return undefined;
    throw error;
  });

const payloadCommitsOf = (push: Push, sha: string): HostCommit[] =>
  push
    .parsePayload()
    .filter((commit) => commit.sha === sha)
    .map((commit) => payloadCommit(commit, false));

/** Maps items with at most `limit` concurrent calls, and rejects with the first failure. */
async function mapConcurrently<Item, Result>(
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
