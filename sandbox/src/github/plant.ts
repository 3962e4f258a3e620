import { randomUUID } from 'node:crypto';
import { git } from '../git/command.ts';
import { commitTo, type Method, mergeBranch } from '../git/merging.ts';
import type { CommitCheck, PlantedAccess, Protection, Rules } from '../git/model.ts';
import { rulesAt } from '../git/planted.ts';
import type { Person, PullRequest, PullRequestReview } from '../git/pull-request.ts';
import { findPullRequests } from '../git/repository.ts';
import { accountNamed, peopleWithAccess } from './access.ts';
import { checkRunJson, statusJson } from './commit-checks.ts';
import { type Host, readPeople } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { listenerOf } from './installations.ts';
import { contextOf, pullRequestPayload, reviewPayload } from './payloads.ts';
import { protectionRuleJson, rulesetJson } from './protection.ts';
import { refuse } from './refusal.ts';
import { accountJson } from './responses/account.ts';
import { followRepository, type SendWebhook, webhookSenderFor } from './webhook-events.ts';

/** Submits a review. */
export const addReview = async (
  host: Host,
  repository: HostedRepository,
  pull: PullRequest,
  given: Omit<PullRequestReview, 'key' | 'dismissed'>,
): Promise<void> => {
  const review: PullRequestReview = { ...given, key: randomUUID(), dismissed: null };
  const changed = change(host, repository, pull, { reviews: [...pull.reviews, review], updatedAt: given.at });
  webhookSenderOf(host, repository, given.reviewer)?.send('pull_request_review', (installation) =>
    reviewPayload(host, { repository, installation, pull: changed, review }),
  );
};

/** Dismisses the last review of a reviewer. Throws 404 without a review in force. */
export const dismissReview = async (
  host: Host,
  {
    repository,
    pull,
    reviewer,
    dismissed,
  }: { repository: HostedRepository; pull: PullRequest; reviewer: Person; dismissed: { at: number; by: Person } },
): Promise<void> => {
  const found = pull.reviews.findLast(
    (review) => review.reviewer.email === reviewer.email && review.dismissed === null,
  );
  if (found === undefined) throw refuse(404, 'They gave no review that stands.');
  const review = { ...found, dismissed };
  const reviews = pull.reviews.map((one) => (one === found ? review : one));
  const changed = change(host, repository, pull, { reviews, updatedAt: Math.max(pull.updatedAt, dismissed.at) });
  webhookSenderOf(host, repository, dismissed.by)?.send('pull_request_review', (installation) =>
    reviewPayload(host, { repository, installation, pull: changed, review, action: 'dismissed' }),
  );
};

/** Sets data of a pull request that git does not contain: texts, labels, issues, and who requested the merge. */
export const describePull = async (
  host: Host,
  repository: HostedRepository,
  pull: PullRequest,
  planted: Partial<Pick<PullRequest, 'title' | 'body' | 'labels' | 'linkedIssues' | 'autoMerge' | 'queued'>>,
): Promise<void> => {
  const changed = change(host, repository, pull, { ...planted, updatedAt: Date.now() });
  const installation = listenerOf(host, repository);
  if (installation === undefined) return;
  const payload = await pullRequestPayload(host, {
    repository,
    installation,
    action: 'edited',
    pull: changed,
    extra: { changes: {} },
  });
  webhookSenderFor(host, repository, installation.id)('pull_request', payload);
};

/** Sets a commit status, as an app does. */
export const setStatus = (
  host: Host,
  { repository, sha, name, state }: { repository: HostedRepository; sha: string; name: string; state: string },
) => {
  const at = Date.now();
  const conclusion = state === 'success' ? ('success' as const) : state === 'failure' ? ('failure' as const) : null;
  const isOver = state !== 'pending';
  const check: CommitCheck = {
    sha,
    name,
    isStatus: true,
    startedAt: at,
    completedAt: isOver ? at : null,
    conclusion: isOver ? (conclusion ?? 'cancelled') : null,
  };
  addCheck(host, repository, check);
  return statusJson(host, repository, check);
};

/** Creates or updates a check run or status. */
export const addCheck = (host: Host, repository: HostedRepository, check: CommitCheck): void => {
  repository.git.planted.checks.push(check);
  host.savePlanted();
  const by = { name: 'github-actions[bot]', email: '41898282+github-actions[bot]@users.noreply.github.com' };
  const action = check.completedAt === null ? 'created' : 'completed';
  if (check.isStatus) {
    const json = statusJson(host, repository, check);
    webhookSenderOf(host, repository, by)?.send('status', () => ({ ...json, sha: check.sha, branches: [] }));
  } else {
    webhookSenderOf(host, repository, by)?.send('check_run', () => ({
      action,
      check_run: checkRunJson(host, repository, check),
    }));
  }
};

/** Changes or removes the protection of a branch. Rules of a ruleset apply in addition to those of the branch. */
export const protectBranch = (
  host: Host,
  {
    repository,
    branch,
    protection: { at, rules },
    isRuleset,
    by,
  }: { repository: HostedRepository; branch: string; protection: Protection; isRuleset: boolean; by: Person },
): void => {
  const { protections, rulesets } = repository.git.planted;
  const histories = isRuleset ? rulesets : protections;
  const before = rulesAt(histories, branch, at);
  const formerJson = isRuleset ? rulesetJson(host, repository, branch) : undefined;
  const history = [...(histories.get(branch) ?? []), { at, rules }].sort((one, other) => one.at - other.at);
  histories.set(branch, history);
  host.savePlanted();
  const action = before === null ? 'created' : rules === null ? 'deleted' : 'edited';
  const shown: Rules | null = rules ?? before;
  if (shown === null) return;
  if (isRuleset) {
    const json = rulesetJson(host, repository, branch) ?? formerJson;
    webhookSenderOf(host, repository, by)?.send('repository_ruleset', () => ({ action, repository_ruleset: json }));
  } else {
    const rule = protectionRuleJson(repository, branch, shown, history);
    webhookSenderOf(host, repository, by)?.send('branch_protection_rule', () => ({ action, rule }));
  }
};

/** Replaces the access to a repository, and reports added and removed collaborators. */
export const plantAccess = (host: Host, repository: HostedRepository, access: PlantedAccess): void => {
  const loginsOf = () => new Set(peopleWithAccess(host, repository).map(({ user }) => user.login));
  const before = loginsOf();
  repository.git.planted.access = access;
  host.savePlanted();
  const after = loginsOf();
  const changes = [...before, ...after].filter((login) => before.has(login) !== after.has(login));
  const owner = { name: repository.owner.login, email: '' };
  for (const login of changes) {
    const member = accountJson(host, accountNamed(host, login));
    const action = after.has(login) ? 'added' : 'removed';
    webhookSenderOf(host, repository, owner)?.send('member', () => ({ action, member }));
  }
};

/** Merges with git, like the merge button. `files`: content that only the merged commit has. `isPushed`: the commits are pushed directly, after which GitHub shows the pull request as merged. Throws 405 for a pull request that is not open, 409 on a conflict. */
export const mergePull = async (
  host: Host,
  repository: HostedRepository,
  pull: PullRequest,
  {
    method,
    by,
    at,
    deletesBranch,
    files,
    isPushed = false,
  }: { method: Method; by: Person; at: number; deletesBranch: boolean } & {
    files?: Record<string, string> | undefined;
    isPushed?: boolean | undefined;
  },
): Promise<void> => {
  if (pull.state !== 'open') throw refuse(405, 'Pull Request is not mergeable');
  const { git: hosted } = repository;
  const ref = `refs/heads/${hosted.defaultBranch}`;
  const before = hosted.refs.get(ref) ?? null;
  await followRepository(host, repository, async () => {
    const made = await mergeBranch(hosted, { pull, method, by, at, files }).catch(conflict);
    const after = made.at(-1) ?? null;
    await git(hosted.path, ['update-ref', `refs/pull/${pull.number}/head`, pull.headSha]);
    if (deletesBranch) await git(hosted.path, ['update-ref', '-d', `refs/heads/${pull.headRef}`]);
    hosted.planted.pulls.set(pull.number, {
      ...pull,
      state: 'closed',
      mergeSha: after,
      landed: method === 'rebase' ? made : [],
      mergedBy: by,
      mergedAt: at,
      closedAt: at,
      updatedAt: at,
    });
    const kind = isPushed ? 'push' : pull.queued === null ? 'pr_merge' : 'merge_queue_merge';
    hosted.planted.pushes.push({ ref, before, after, at, by, kind });
    host.savePlanted();
  });
};

/**
 * Pushes a commit of files directly to a branch; with force, replacing its last commit. `author`: the author and
 * committer that git contains. `signature`: an armored one, which the host cannot verify. Throws 409 if git fails.
 */
export const pushFiles = async (
  host: Host,
  {
    repository,
    branch,
    files,
    message,
    forced,
    by,
    author,
    at,
    signature,
  }: {
    repository: HostedRepository;
    branch: string;
    files: Record<string, string>;
    message: string;
    forced: boolean;
    by: Person;
    author: Person;
    at: number;
    signature?: string | undefined;
  },
): Promise<string> => {
  const { git: hosted } = repository;
  const ref = `refs/heads/${branch}`;
  const before = hosted.refs.get(ref);
  if (before === undefined) throw refuse(404, 'Branch not found');
  let after = before;
  await followRepository(host, repository, async () => {
    const made = await commitTo(hosted, { branch, change: { files, message, forced }, by: author, at }).catch(conflict);
    after = made.at(-1) ?? before;
    if (signature !== undefined) hosted.planted.signatures.set(after, signature);
    hosted.planted.pushes.push({ ref, before, after, at, by, kind: forced ? 'force_push' : 'push' });
    host.savePlanted();
  });
  return after;
};

const conflict = (error: Error): never => {
  throw refuse(409, error.message);
};

const change = (
  host: Host,
  { git: hosted }: HostedRepository,
  pull: PullRequest,
  fields: Partial<PullRequest>,
): PullRequest => {
  const { planted } = hosted;
  const { number } = pull;
  planted.pulls.set(number, { ...planted.pulls.get(number), number, ...fields });
  findPullRequests(hosted);
  const changed = hosted.pullRequests.find((candidate) => candidate.number === number);
  host.savePlanted();
  return changed ?? { ...pull, ...fields };
};

type PlantedPayload = Parameters<SendWebhook>[1];
type Installed = NonNullable<ReturnType<typeof listenerOf>>;

const webhookSenderOf = (host: Host, repository: HostedRepository, by: Person) => {
  readPeople(host, repository.git);
  const installation = listenerOf(host, repository);
  if (installation === undefined) return undefined;
  const send = (event: string, payload: (installation: Installed) => PlantedPayload): void => {
    const context = contextOf(host, repository, installation, by);
    webhookSenderFor(host, repository, installation.id)(event, { ...payload(installation), ...context });
  };
  return { send };
};
