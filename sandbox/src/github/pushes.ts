import { isAncestor } from '../git/graph.ts';
import type { Push } from '../git/model.ts';
import type { Person } from '../git/pull-request.ts';
import type { RefChange } from '../git/refs.ts';
import type { Host } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';

/** Records an update of a branch, unless already recorded; returns undefined for a tag. */
export const recordPush = (host: Host, repository: HostedRepository, change: RefChange): Push | undefined => {
  const { planted, defaultBranch, pullRequests } = repository.git;
  const { ref, before = null, after = null } = change;
  if (!ref.startsWith('refs/heads/')) return undefined;
  const known = planted.pushes.findLast((push) => push.ref === ref && push.before === before && push.after === after);
  if (known !== undefined) return known;
  const isMerge = ref === `refs/heads/${defaultBranch}` && pullRequests.some(({ mergeSha }) => mergeSha === after);
  const kind = kindOf(repository, change, isMerge);
  const push: Push = { ref, before, after, at: Date.now(), by: pusherOf(repository, change), kind };
  planted.pushes.push(push);
  host.savePlanted();
  return push;
};

/** Infers the pusher from the commits. */
export const pusherOf = ({ git }: HostedRepository, { before, after }: Pick<RefChange, 'before' | 'after'>): Person => {
  const head = git.commits.get(after ?? '');
  const { name, email } = head?.committer ?? git.commits.get(before ?? '')?.committer ?? { name: 'ghost', email: '' };
  // Commits in GitHub's web interface have GitHub as committer and the user as author.
  return email === 'noreply@github.com' && head !== undefined
    ? { name: head.author.name, email: head.author.email }
    : { name, email };
};

const kindOf = ({ git }: HostedRepository, { before, after }: RefChange, isMerge: boolean): Push['kind'] => {
  if (before === undefined) return 'branch_creation';
  if (after === undefined) return 'branch_deletion';
  if (!isAncestor(git.commits, before, after)) return 'force_push';
  return isMerge ? 'pr_merge' : 'push';
};
