import { fullName, type Host } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { reviewId } from '../github/shapes/pull-request.ts';
import { tellings } from './hosts.ts';
import type { Merge, Story, StoryChange } from './story.ts';

/**
 * What must be said of one thing. `subject`: `owner/name#number` of a merge, `owner/name@sha` of a push by where the branch stood
 * after it, `owner/name/commit/sha` of a commit that reached the branch, `owner/name/lost/sha..sha` of where the branch stood
 * before and after what nobody told of. A reason about a review ends in `:` and the host's id of it.
 */
export type ExpectedVerdict = {
  subject: string;
  control: string;
  verdict: 'pass' | 'fail' | 'missing_evidence';
  reasons: string[];
};

/** What a host calls the review of a merge that the story calls by a key. */
export type ReviewIds = (
  repository: HostedRepository,
  change: Merge,
  key: string,
  shas: ReadonlyMap<number, string>,
) => string;

/** The answers to a story, made of what was planted and of nothing else; by control and subject. */
export const answersOf = (
  repository: HostedRepository,
  story: Story,
  shas: ReadonlyMap<number, string>,
  reviewIds: ReviewIds = onGithub,
): ExpectedVerdict[] => {
  const name = fullName(repository);
  const { listsPushes } = tellings[story.on];
  const isLost = (change: StoryChange): boolean => !listsPushes && change.lost.includes('push');
  const answers = story.changes.flatMap((change, index) => {
    const landed = change.kind === 'merge' ? change.landed : change.commits;
    const last = shas.get(landed.at(-1) ?? 0);
    const subject = change.kind === 'merge' ? `${name}#${change.number}` : `${name}@${last}`;
    // A merge commit brings those of the branch along.
    const branch = change.kind === 'merge' && change.method === 'merge' ? change.commits : [];
    return (story.truths[index] ?? []).flatMap(({ control, of, verdict, reasons }) => {
      // Only its pull request tells of it, if it came by one.
      if (isLost(change) && (change.kind === 'direct' || of === 'commits')) return [];
      const told = reasons.map(([reason, key]) => {
        if (key === undefined || change.kind === 'direct') return reason;
        return `${reason}:${reviewIds(repository, change, key, shas)}`;
      });
      const subjects =
        of === 'change' ? [subject] : [...landed, ...branch].map((mark) => `${name}/commit/${shas.get(mark)}`);
      return subjects.map((one): ExpectedVerdict => ({ subject: one, control, verdict, reasons: told.sort() }));
    });
  });
  const keyOf = ({ control, subject }: ExpectedVerdict): string => `${control} ${subject}`;
  const lost = stretchesOf(story.changes.filter(isLost)).map(
    ([from, to]): ExpectedVerdict => ({
      subject: `${name}/lost/${shas.get(from)}..${shas.get(to)}`,
      control: 'CHG-02',
      verdict: 'missing_evidence',
      reasons: ['force_unknown', 'push_lost', 'merge_method_unknown'],
    }),
  );
  return [...answers, ...lost].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
};

/** Where the branch stood before and after changes that followed each other. */
const stretchesOf = (changes: readonly StoryChange[]): [from: number, to: number][] => {
  const stretches: [from: number, to: number][] = [];
  for (const change of changes) {
    const last = stretches.at(-1);
    const end = (change.kind === 'merge' ? change.landed : change.commits).at(-1) ?? change.before;
    if (last?.[1] === change.before) last[1] = end;
    else stretches.push([change.before, end]);
  }
  return stretches;
};

const onGithub: ReviewIds = (repository, { number }, key) =>
  String(reviewId(repository, { number }, { key: `${number}-${key}` }));

/** The repository of a story on the host. Throws where the host has none there. */
export const hostedAt = (host: Host, path: string): HostedRepository => {
  const found = host.repositories.find(({ git }) => git.path === path);
  if (found === undefined) throw new Error(`No repository is hosted from ${path}.`);
  return found;
};
