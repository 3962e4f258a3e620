import { agentOf } from '#core/agents.ts';
import type { HostBlame } from '../../../providers/host-facts.ts';
import type { IntroducedBy, PendingOrigin } from './pending.ts';

/**
 * Where the lines of a finding came from, as the host's blame says: of several commits the last one. Null where the blame
 * does not reach that far.
 */
export function originIn(
  blame: readonly HostBlame[],
  { path, line, endLine }: Pick<PendingOrigin, 'path' | 'line' | 'endLine'>,
): IntroducedBy | null {
  if (line === null) return null;
  const last = Math.max(line, endLine ?? line);
  const there = blame.filter(({ from, to }) => from <= last && to >= line);
  const newest = there.reduce<HostBlame | undefined>(
    (one, other) => (one && one.commit.authoredAt >= other.commit.authoredAt ? one : other),
    undefined,
  );
  if (!newest) return null;
  const { commit, pullRequest } = newest;
  const short = commit.sha.slice(0, 7);
  const where = last === line ? `line ${line}` : `lines ${line} to ${last}`;
  return {
    commit: commit.sha,
    pullRequest,
    actor: { name: commit.author.name, login: commit.author.login },
    agent: agentOf(commit.author.login, commit.message),
    at: commit.authoredAt,
    confidence: 'observed',
    reason: `According to git blame, ${short} is the last commit that changed ${where} of ${path}. It probably introduced the weakness.`,
  };
}
