import { describe, expect, test } from 'vitest';
import { assessApproval } from '../controls/approval.ts';
import { change as changeVariants, checks as checkVariants, review } from '../controls/testing/change-variants.ts';
import { completeFact, linked, missingFact } from '../controls/testing/facts.ts';
import { passingRowOf } from '../controls/testing/variants.ts';
import { withoutOneFact } from '../controls/testing/without-one-fact.ts';
import { assessRevision, type RevisionFacts } from './assess-revision.ts';
import type { BranchHistory, BranchRevision, ControlSnapshot } from './branch-history.ts';
import { explainSourceReason, kindOfReason, type SourceReason, sourceReasons } from './reasons.ts';
import { sourceRequirements } from './requirements.ts';

const head = 'a'.repeat(40);
const mergedAt = '2026-07-10T12:00:00.000Z';
const at = (time: string) => `2026-07-10T${time}:00.000Z`;

const push = (name: string, time: string, other: Partial<BranchRevision> = {}): BranchRevision => ({
  push: `push ${name}`,
  before: `before ${name}`,
  after: `after ${name}`,
  pushedAt: at(time),
  isForced: completeFact(false),
  completeness: 'complete',
  pusher: 'per_author',
  ...other,
});
const snapshot = (time: string, other: Partial<ControlSnapshot> = {}): ControlSnapshot => ({
  capturedAt: at(time),
  requiredReviews: completeFact(1),
  requiredCheckCount: completeFact(1),
  dismissesStaleReviews: completeFact(true),
  allowsForcePush: completeFact(false),
  allowsDeletion: completeFact(false),
  includesAdmins: completeFact(true),
  protectsTags: completeFact(true),
  ...other,
});
const change = passingRowOf(changeVariants);
const checks = passingRowOf(checkVariants);
const failedRun = { name: 'build', app: null, sha: head, conclusion: 'failure', completedAt: at('11:30') };
const facts = (other: Partial<RevisionFacts> = {}, history: Partial<BranchHistory> = {}): RevisionFacts => ({
  mergedAt,
  observedUntil: mergedAt,
  recordedAt: '2026-07-10T12:00:05.000Z',
  mergeSha: completeFact(head),
  change,
  checks,
  otherApprovals: [],
  cameByPullRequests: completeFact(true),
  history: {
    revisions: [push('this', '12:00'), push('previous', '10:30'), push('first', '09:30')],
    hasMore: false,
    snapshots: ['09:00', '10:00', '11:00', '12:00'].map((time) => snapshot(time)),
    disabled: [],
    ...history,
  },
  ...other,
});
const assess = (other: Partial<RevisionFacts> = {}, history: Partial<BranchHistory> = {}) =>
  assessRevision(facts(other, history));
const openIn = (assessed: ReturnType<typeof assess>) =>
  Object.fromEntries(
    assessed.requirements.flatMap(({ id, state, reasons }) => (state === 'met' ? [] : [[id, [state, ...reasons]]])),
  );

test('reaches level 4 if every fact is known and none contradicts a requirement', () => {
  const assessed = assess();
  expect(openIn(assessed)).toEqual({});
  expect(assessed).toMatchObject({ level: 4, violations: [], isTwoPartyReviewed: true });
  expect(assessed.requirements.map(({ id }) => id)).toEqual(sourceRequirements.map(({ id }) => id));
});

test('tracks the continuity of each control from its first revision', () => {
  const start = { revision: 'after previous', at: at('10:30'), isBounded: false };
  // Nothing is known before the oldest push, so that the control starts with the push after it.
  expect(assess().controls).toEqual({ history: start, tags: start, technical: start, review: start });
  const snapshots = [snapshot('09:00', { requiredReviews: completeFact(0) }), ...facts().history.snapshots.slice(2)];
  expect(assess({}, { snapshots }).controls.review).toBeUndefined();
});

interface Case {
  name: string;
  other?: Partial<RevisionFacts>;
  history?: Partial<BranchHistory>;
  level: number;
  violations?: readonly SourceReason[];
  isReviewed?: boolean;
  open: Readonly<Record<string, readonly string[]>>;
}
const revisions = (one: Partial<BranchRevision>, two: Partial<BranchRevision> = {}) => ({
  revisions: [push('this', '12:00', one), push('previous', '10:30', two), push('first', '09:30')],
});
const withSnapshot = (time: string, other: Partial<ControlSnapshot>) => ({
  snapshots: [...facts().history.snapshots, snapshot(time, other)].toSorted((a, b) =>
    a.capturedAt < b.capturedAt ? -1 : 1,
  ),
});
const reviewed = (other: object) => ({ change: { ...change, reviews: completeFact([{ ...review, ...other }]) } });

const cases: readonly Case[] = [
  {
    name: 'an unreviewed merge although the branch required a review',
    other: { change: { ...change, reviews: completeFact([]) } },
    level: 2,
    violations: ['no_independent_approval'],
    isReviewed: false,
    open: {
      'technical-controls': ['unmet', 'no_independent_approval'],
      'two-party-review': ['unmet', 'no_independent_approval'],
    },
  },
  {
    name: 'an unreviewed merge that the branch permitted',
    other: { change: { ...change, reviews: completeFact([]) } },
    history: {
      snapshots: ['10:00', '11:00'].map((time) => snapshot(time, { requiredReviews: completeFact(0) })),
    },
    level: 3,
    isReviewed: false,
    open: { 'two-party-review': ['unmet', 'no_independent_approval', 'too_few_required_reviews'] },
  },
  {
    name: 'an approval by a stranger',
    other: reviewed({ byActiveMember: completeFact(false) }),
    level: 2,
    violations: ['approved_by_non_member:rev_1', 'no_independent_approval'],
    isReviewed: false,
    open: {
      'technical-controls': ['unmet', 'approved_by_non_member:rev_1', 'no_independent_approval'],
      'two-party-review': ['unmet', 'approved_by_non_member:rev_1', 'no_independent_approval'],
    },
  },
  {
    name: 'an approval by a second account of the author',
    other: reviewed({ by: linked('per_second', 'per_author') }),
    level: 2,
    violations: ['approved_by_author:rev_1', 'approved_by_last_pusher:rev_1', 'no_independent_approval'],
    isReviewed: false,
    open: {
      'technical-controls': [
        'unmet',
        'approved_by_author:rev_1',
        'approved_by_last_pusher:rev_1',
        'no_independent_approval',
      ],
      'two-party-review': [
        'unmet',
        'approved_by_author:rev_1',
        'approved_by_last_pusher:rev_1',
        'no_independent_approval',
      ],
    },
  },
  {
    name: 'reviews that are unknown',
    other: { change: { ...change, reviews: missingFact } },
    level: 2,
    isReviewed: false,
    open: {
      'technical-controls': ['unknown', 'reviews_missing'],
      'two-party-review': ['unknown', 'reviews_missing'],
    },
  },
  {
    name: 'a failed required check',
    other: { checks: { ...checks, checks: completeFact([failedRun]) } },
    level: 2,
    violations: ['required_check_failed'],
    open: { 'technical-controls': ['unmet', 'required_check_failed'] },
  },
  {
    name: 'a required check that was off around the merge',
    other: { checks: { ...checks, requiredChecks: completeFact([]), disabledChecks: ['build'] } },
    level: 2,
    violations: ['required_check_disabled'],
    open: { 'technical-controls': ['unmet', 'required_check_disabled'] },
  },
  {
    name: 'protection that was off for 20 seconds since the previous revision',
    history: withSnapshot('11:10', {
      requiredReviews: completeFact(0),
      requiredCheckCount: completeFact(0),
      includesAdmins: completeFact(false),
      allowsForcePush: completeFact(true),
    }),
    level: 1,
    open: {
      'access-and-history': ['unmet', 'force_push_allowed'],
      history: ['unmet', 'force_push_allowed'],
      continuity: ['unmet', 'force_push_allowed'],
      'technical-controls': ['unmet', 'admins_exempt', 'no_technical_control'],
      'two-party-review': ['unmet', 'admins_exempt', 'too_few_required_reviews'],
    },
  },
  {
    name: 'protection that was off only in the snapshot that the merge triggered',
    other: { observedUntil: at('12:01') },
    history: withSnapshot('12:01', { includesAdmins: completeFact(false) }),
    level: 2,
    open: {
      'technical-controls': ['unmet', 'admins_exempt'],
      'two-party-review': ['unmet', 'admins_exempt'],
    },
  },
  {
    name: 'a forced push',
    history: revisions({ isForced: completeFact(true) }),
    level: 1,
    open: {
      'safe-expunging-process': ['unmet', 'forced_push'],
      history: ['unmet', 'forced_push'],
      continuity: ['unmet', 'forced_push'],
    },
  },
  {
    name: 'a merge shortly after a forced push',
    history: revisions({}, { isForced: completeFact(true), pushedAt: at('11:58') }),
    level: 1,
    open: {
      'safe-expunging-process': ['unmet', 'previous_push_forced'],
      history: ['unmet', 'previous_push_forced'],
      continuity: ['unmet', 'previous_push_forced'],
    },
  },
  {
    name: 'a push before it that was lost',
    history: revisions({}, { completeness: 'lost', isForced: missingFact }),
    level: 1,
    open: {
      'safe-expunging-process': ['unknown', 'force_unknown', 'push_lost'],
      history: ['unknown', 'force_unknown', 'push_lost'],
      continuity: ['unknown', 'force_unknown', 'push_lost'],
      'technical-controls': ['unknown', 'force_unknown', 'push_lost'],
      'two-party-review': ['unknown', 'force_unknown', 'push_lost'],
    },
  },
  {
    name: 'a repository that was disabled in between',
    history: { disabled: [{ from: at('11:10'), to: at('11:11') }] },
    level: 1,
    open: {
      continuity: ['unknown', 'repository_disabled'],
      'technical-controls': ['unknown', 'repository_disabled'],
      'two-party-review': ['unknown', 'repository_disabled'],
    },
  },
  {
    name: 'a missed reading of the protection',
    history: { snapshots: [snapshot('10:00'), snapshot('11:30')] },
    level: 1,
    open: {
      continuity: ['unknown', 'protection_stale'],
      'technical-controls': ['unknown', 'protection_stale'],
      'two-party-review': ['unknown', 'protection_stale'],
    },
  },
  {
    name: 'the first recorded push',
    history: { revisions: [push('this', '12:00')] },
    level: 1,
    open: {
      'safe-expunging-process': ['unknown', 'previous_revision_unknown'],
      history: ['unknown', 'previous_revision_unknown'],
      continuity: ['unknown', 'previous_revision_unknown'],
      'technical-controls': ['unknown', 'previous_revision_unknown'],
      'two-party-review': ['unknown', 'previous_revision_unknown'],
    },
  },
  {
    name: 'tags that can be moved',
    history: { snapshots: facts().history.snapshots.map((one) => ({ ...one, protectsTags: completeFact(false) })) },
    level: 1,
    open: { 'access-and-history': ['unmet', 'tags_unprotected'], continuity: ['unmet', 'tags_unprotected'] },
  },
  {
    name: 'tags without a recorded protection',
    history: { snapshots: facts().history.snapshots.map((one) => ({ ...one, protectsTags: missingFact })) },
    level: 1,
    open: {
      'access-and-history': ['unknown', 'tag_protection_unknown'],
      continuity: ['unknown', 'tag_protection_unknown'],
    },
  },
  {
    name: 'a record that was written much later',
    other: { recordedAt: '2026-07-11T12:00:00.000Z' },
    level: 1,
    open: { 'source-provenance': ['unmet', 'recorded_late'] },
  },
  {
    name: 'an unknown pusher',
    history: revisions({ pusher: null }),
    level: 1,
    open: { 'identity-management': ['unknown', 'pusher_unknown'] },
  },
  {
    name: 'another change in the same push without an approval',
    other: { otherApprovals: ['yes', 'no', 'unknown'] },
    level: 3,
    isReviewed: false,
    open: { 'two-party-review': ['unmet', 'other_change_unapproved', 'other_change_unknown'] },
  },
  {
    name: 'a commit in the same push without a pull request',
    other: { cameByPullRequests: completeFact(false) },
    level: 3,
    isReviewed: false,
    open: { 'two-party-review': ['unmet', 'direct_push'] },
  },
  {
    name: 'a branch that requires neither reviews nor checks',
    other: { checks: { ...checks, requiredChecks: completeFact([]) } },
    history: {
      snapshots: ['10:00', '11:00'].map((time) =>
        snapshot(time, { requiredReviews: completeFact(0), requiredCheckCount: completeFact(0) }),
      ),
    },
    level: 2,
    open: {
      'technical-controls': ['unmet', 'no_technical_control'],
      'two-party-review': ['unmet', 'too_few_required_reviews'],
    },
  },
];

test('never claims two-party review for a change that CHG-01 does not pass', () => {
  for (const [name, values] of Object.entries<readonly unknown[]>(changeVariants)) {
    for (const value of values.slice(1)) {
      const row = { ...change, [name]: value } as typeof change;
      const { failures, missing } = assessApproval(row, 1);
      const isApproved = failures.length === 0 && missing.length === 0;
      const { isTwoPartyReviewed, level } = assess({ change: row });
      expect([name, isTwoPartyReviewed, level === 4]).toEqual([name, isApproved, isApproved]);
    }
  }
});

test('never claims a higher level if a fact is missing', () => {
  for (const { other, history } of [{ other: {}, history: {} }, ...cases]) {
    const known = facts(other, history);
    const { level, isTwoPartyReviewed } = assessRevision(known);
    const higher = withoutOneFact(known).filter((less) => {
      const assessed = assessRevision(less);
      return assessed.level > level || (assessed.isTwoPartyReviewed && !isTwoPartyReviewed);
    });
    expect(higher).toEqual([]);
  }
});

describe('derives the level of', () => {
  test.each(cases)('$name', ({ other, history, level, violations = [], isReviewed = true, open }) => {
    const assessed = assess(other, history);
    expect(openIn(assessed)).toEqual(open);
    expect(assessed).toMatchObject({ level, violations, isTwoPartyReviewed: isReviewed });
  });

  test('a revision without any recorded push, never above level 1', () => {
    const assessed = assess({}, { revisions: [], snapshots: [] });
    expect(assessed.level).toBe(1);
    expect(assessed.controls).toEqual({
      history: undefined,
      tags: undefined,
      technical: undefined,
      review: undefined,
    });
    expect(openIn(assessed)).toMatchObject({
      history: ['unknown', 'protection_missing', 'push_unknown'],
      'access-and-history': ['unknown', 'protection_missing'],
      'protected-refs': ['unknown', 'protection_missing'],
    });
  });

  test('a change without a known commit, as level 0', () => {
    expect(assess({ mergeSha: missingFact }).level).toBe(0);
  });
});

test('explains every reason in one sentence', () => {
  for (const code of Object.keys(sourceReasons) as SourceReason[])
    expect(explainSourceReason(code)).toMatchObject({ code, text: expect.stringMatching(/^[A-Z][^.!?]*\.$/) });
  expect(explainSourceReason('approved_by_author:rev_1')).toMatchObject({ code: 'approved_by_author' });
  expect([kindOfReason('forced_push'), kindOfReason('push_lost')]).toEqual(['fail', 'missing_evidence']);
});
