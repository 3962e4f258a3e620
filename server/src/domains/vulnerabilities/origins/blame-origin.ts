import { declaredAgentOf } from '#core/agents.ts';
import type { HostBlame } from '../../../providers/host-facts.ts';
import type { IntroducedBy, PendingOrigin } from './pending-origins.ts';

/**
 * Returns the newest commit of the lines of a finding in the blame of the host. Null if the blame does not cover them.
 */
export function findingOriginInBlame(
  blame: readonly HostBlame[],
  { path, line, endLine }: Pick<PendingOrigin, 'path' | 'line' | 'endLine'>,
): IntroducedBy | null {
  if (line === null) return null;
  const last = Math.max(line, endLine ?? line);
  const overlapping = blame.filter(({ from, to }) => from <= last && to >= line);
  const newest = overlapping.reduce<HostBlame | undefined>(
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
    agent: declaredAgentOf(commit.author.login, commit.message),
    at: commit.authoredAt,
    confidence: 'observed',
    reason: `According to git blame, ${short} is the last commit that changed ${where} of ${path}. It probably introduced the weakness.`,
  };
}
