import { fullName, type Host } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { reviewId } from '../github/responses/pull-request.ts';
import { isDirect } from './expected-verdicts.ts';
import { hostBehavior } from './hosts.ts';
import type { Merge, RepositoryScenario, ScenarioChange } from './repository-scenario.ts';

/**
 * The expected verdict of one item. `subject`: `owner/name#number` of a merge, `owner/name@sha` of a push with the
 * resulting commit, `owner/name/commit/sha` of a commit, `owner/name/lost/sha..sha` of the range of lost pushes. A
 * reason about a review ends in `:` and the host's ID of it.
 */
export type ExpectedVerdict = {
  subject: string;
  control: string;
  verdict: 'pass' | 'fail' | 'missing_evidence';
  reasons: string[];
};

/** Returns the host's ID of a review, by its key in the scenario. */
export type ReviewIds = (
  repository: HostedRepository,
  change: Merge,
  key: string,
  shas: ReadonlyMap<number, string>,
) => string;

/** The expected verdicts of a repository scenario, derived from the planted data only; sorted by control and subject. */
export const expectedVerdictsOf = (
  repository: HostedRepository,
  repositoryScenario: RepositoryScenario,
  shas: ReadonlyMap<number, string>,
  reviewIds: ReviewIds = onGithub,
): ExpectedVerdict[] => {
  const name = fullName(repository);
  const behavior = hostBehavior(repositoryScenario.on);
  const isLost = (change: ScenarioChange): boolean => !behavior.listsPushes && change.lost.includes('push');
  const answers = repositoryScenario.changes.flatMap((change, index) => {
    const landed = change.kind === 'merge' ? change.landed : change.commits;
    const last = shas.get(landed.at(-1) ?? 0);
    const isMerge = change.kind === 'merge' && !isDirect(change, behavior);
    const subject = isMerge ? `${name}#${change.number}` : `${name}@${last}`;
    // A merge commit also adds the commits of the branch.
    const branch = change.kind === 'merge' && change.method === 'merge' ? change.commits : [];
    return (repositoryScenario.expectedVerdicts[index] ?? []).flatMap(({ control, of, verdict, reasons }) => {
      // A lost merge is known only through its pull request.
      if (isLost(change) && (change.kind === 'direct' || of === 'commits')) return [];
      const hostReasons = reasons.map(([reason, key]) => {
        if (key === undefined || change.kind === 'direct') return reason;
        return `${reason}:${reviewIds(repository, change, key, shas)}`;
      });
      const subjects =
        of === 'change' ? [subject] : [...landed, ...branch].map((mark) => `${name}/commit/${shas.get(mark)}`);
      return subjects.map((one): ExpectedVerdict => ({ subject: one, control, verdict, reasons: hostReasons.sort() }));
    });
  });
  const keyOf = ({ control, subject }: ExpectedVerdict): string => `${control} ${subject}`;
  const lost = rangesOf(repositoryScenario.changes.filter(isLost)).map(
    ([from, to]): ExpectedVerdict => ({
      subject: `${name}/lost/${shas.get(from)}..${shas.get(to)}`,
      control: 'CHG-02',
      verdict: 'missing_evidence',
      reasons: ['force_unknown', 'merge_method_unknown', 'push_lost'],
    }),
  );
  return [...answers, ...lost].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
};

/** The ranges of consecutive changes: the commits of the branch before and after. */
const rangesOf = (changes: readonly ScenarioChange[]): [from: number, to: number][] => {
  const ranges: [from: number, to: number][] = [];
  for (const change of changes) {
    const last = ranges.at(-1);
    const end = (change.kind === 'merge' ? change.landed : change.commits).at(-1) ?? change.before;
    if (last?.[1] === change.before) last[1] = end;
    else ranges.push([change.before, end]);
  }
  return ranges;
};

const onGithub: ReviewIds = (repository, { number }, key) =>
  String(reviewId(repository, { number }, { key: `${number}-${key}` }));

/** The repository of a scenario on the host. Throws if the host has none there. */
export const hostedAt = (host: Host, path: string): HostedRepository => {
  const found = host.repositories.find(({ git }) => git.path === path);
  if (found === undefined) throw new Error(`No repository is hosted from ${path}.`);
  return found;
};
