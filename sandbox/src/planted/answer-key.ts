import { fullName, type Host, type HostedRepository } from '../github/host.ts';
import { reviewId } from '../github/shapes/pull-request.ts';
import type { Story } from './story.ts';

/**
 * What must be said of one thing. `subject`: `owner/name#number` of a merge, `owner/name@sha` of a push by where the branch stood
 * after it, `owner/name/commit/sha` of a commit that reached the branch. A reason about a review ends in `:` and the host's id of it.
 */
export type Answer = { subject: string; control: string; verdict: 'pass' | 'exception' | 'gap'; reasons: string[] };

/** The answers to a story, made of what was planted and of nothing else; by control and subject. */
export const answersOf = (repository: HostedRepository, story: Story, shas: ReadonlyMap<number, string>): Answer[] => {
  const name = fullName(repository);
  const answers = story.changes.flatMap((change, index) => {
    const landed = change.kind === 'merge' ? change.landed : change.commits;
    const last = shas.get(landed.at(-1) ?? 0);
    const subject = change.kind === 'merge' ? `${name}#${change.number}` : `${name}@${last}`;
    // A merge commit brings those of the branch along.
    const branch = change.kind === 'merge' && change.method === 'merge' ? change.commits : [];
    return (story.truths[index] ?? []).flatMap(({ control, of, verdict, reasons }) => {
      const told = reasons.map(([reason, key]) => {
        if (key === undefined || change.kind === 'direct') return reason;
        const { number } = change;
        return `${reason}:${reviewId(repository, { number }, { key: `${number}-${key}` })}`;
      });
      const subjects =
        of === 'change' ? [subject] : [...landed, ...branch].map((mark) => `${name}/commit/${shas.get(mark)}`);
      return subjects.map((one): Answer => ({ subject: one, control, verdict, reasons: told.sort() }));
    });
  });
  const keyOf = ({ control, subject }: Answer): string => `${control} ${subject}`;
  return answers.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
};

/** The repository of a story on the host. Throws where the host has none there. */
export const hostedAt = (host: Host, path: string): HostedRepository => {
  const found = host.repositories.find(({ git }) => git.path === path);
  if (found === undefined) throw new Error(`No repository is hosted from ${path}.`);
  return found;
};
