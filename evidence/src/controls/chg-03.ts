import { assessApproval } from './approval.ts';
import type { MergeRow } from './change-rows.ts';
import { control } from './control.ts';
import { completeValue, knownItems, type Truth } from './facts.ts';
import { type Actor, isAmong } from './persons.ts';
import type { Reason } from './reasons.ts';
import { branches, scopeExclusionOf } from './scope.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversAt } from './waivers.ts';

/**
 * A failure requires that an author certainly merged and certainly no independent reviewer approved. If one fact is
 * missing, the other can still decide: another person merged, or an independent approval is certain.
 */
export const chg03 = control<MergeRow>()({
  id: 'CHG-03',
  title: 'No self-merge',
  rule: 'No person merges their own change without an approval by another person.',
  population: 'Every pull request merged into a branch in scope in the period.',
  verdicts: {
    pass: 'The merger is not an author, also not of changes that only the merged commit has, or the change has an independent approval as defined by CHG-01. If a program merged, such as a merge queue, the requester counts as the merger. Persons merged by `.mailmap` or an Account Owner count as one.',
    fail: 'An author merged, and there is no independent approval.',
    missing_evidence:
      'The merger, the authors, the content of the merged commit or the reviews are not known with certainty.',
  },
  parameters: { branches },
  sources: ['pull_requests', 'identities', 'members', 'attribution'],
  policies: ['merge'],
  digest: 'flagged',
  events: ['merge'],
  happenedAt: ({ mergedAt }) => mergedAt,
  isApplicable: ({ mergeMethod }) => completeValue(mergeMethod) !== 'direct_push',
  excludedBy: (row, setting) => scopeExclusionOf(row, setting.branches),
  evaluate: (row) => {
    const isByAuthor = isMergedByAuthor(row);
    const { failures, missing } = assessApproval(row, 1);
    const isApproved = failures.length === 0 && missing.length === 0;
    const isUnresolved = isByAuthor === 'unknown' && areAuthorsProven(row);
    const isCertain = isByAuthor === 'yes' && failures.length > 0;
    return decideVerdict({
      failures: isCertain ? ['merged_by_author', ...failures] : [],
      missing: isByAuthor === 'no' || isApproved ? [] : [...missing, ...(isUnresolved ? unresolved : [])],
      passes: [isByAuthor === 'no' ? 'merged_by_another' : 'independent_approval'],
      waivers: waiversAt(row.waivers, row.mergedAt),
    });
  },
});

const unresolved: readonly Reason[] = ['merger_unresolved'];

/** Whether an author merged. With incomplete authors, no one is certainly a non-author. */
function isMergedByAuthor(row: MergeRow): Truth {
  const by = mergerOf(row);
  const authors = knownItems(row.authors);
  if (by === undefined) return 'unknown';
  const ownFiles = completeValue(row.unreviewedFiles);
  // The person who merged wrote the content that only the merged commit has.
  const truth = ownFiles !== undefined && ownFiles > 0 ? 'yes' : isAmong(by, authors);
  if (truth === 'no' && !areAuthorsProven(row)) return 'unknown';
  const areKnown = row.authors.state === 'complete' && authors.length > 0;
  return truth === 'no' && (!areKnown || by.identity !== 'resolved') ? 'unknown' : truth;
}

/** Whether the named authors are certainly those who wrote what was merged. */
const areAuthorsProven = (row: MergeRow): boolean =>
  completeValue(row.unreviewedFiles) !== undefined && completeValue(row.unattestedCommits) === 0;

/** The person who merged, or for whom a program merged. Undefined if either is unknown. */
function mergerOf({ mergedBy, mergeRequestedBy }: MergeRow): Actor | undefined {
  const by = completeValue(mergedBy);
  return by?.kind === 'agent' ? completeValue(mergeRequestedBy) : by?.kind === 'human' ? by : undefined;
}
