import type { CanonicalValue } from '../../ledger/canonical.ts';
import { changedKind, evaluationKind, retestedKind } from '../remediations.ts';
import { disabledKind, enabledKind, listedKind, unlistedKind } from '../repositories.ts';
import { hashOf } from '../run-entry.ts';
import type { PlacedDigest } from '../scope.ts';

/** The names of repositories that an entry commits to, by ID. */
export type RepositoryNames = readonly (readonly [id: string, name: string])[];

type Append = (
  kind: string,
  subject: { readonly [key: string]: CanonicalValue },
  options?: { readonly at?: string; readonly person?: string; readonly names?: RepositoryNames },
) => number;

/** When the repository of the changes was disabled. */
export const pause = { from: '2026-07-02T10:00:00.000Z', to: '2026-07-02T10:00:30.000Z' };

export const policyId = '0198f000-0000-7000-8000-000000000001';
export const digestId = '0198f000-0000-5000-8000-000000000002';

const audit = (kind: string, id: string, data: CanonicalValue) => ({ kind, id, data });
const policyRules = (independent: number) => ({
  name: 'Four eyes',
  mode: 'warn',
  kind: 'merge',
  scope: { repositories: null, branches: [], tools: [] },
  settings: { 'CHG-01': { approvals: independent } },
});

/**
 * Appends a repository with a pause and one that was never enabled, a policy with two versions, an archived policy,
 * waivers in every state, remediations, and a weekly digest with two reviews. Returns the bodies of digests.
 */
export function appendRecords(append: Append, repository: string): readonly PlacedDigest[] {
  const old = '0198f000-0000-7000-8000-000000000003';
  const names = [
    [repository, 'acme/widgets'],
    ['repo_hidden', 'acme/hidden'],
    ['repo_gone', 'acme/gone'],
  ] as const;
  append(
    listedKind,
    { repositories: names.map(([id]) => id) },
    { names: [[repository, 'acme/gadgets'], ...names.slice(1)] },
  );
  append(unlistedKind, { repositories: ['repo_gone'] }, { names: [['repo_gone', 'acme/gone']] });
  // Renamed since it was listed.
  append(listedKind, { repositories: [repository] }, { names: names.slice(0, 1) });
  const enabled = (before: boolean) =>
    audit('repository', repository, { before: { enabled: before }, after: { enabled: !before } });
  const named = { names: names.slice(0, 1) };
  append(enabledKind, enabled(false), named);
  append(disabledKind, enabled(true), { at: pause.from, ...named });
  append(enabledKind, enabled(false), { at: pause.to, ...named });
  append('audit.policy.created', audit('policy', policyId, { name: 'Four eyes', version: 1, after: policyRules(1) }));
  append('audit.policy.created', audit('policy', old, { name: 'Old', version: 1, after: policyRules(1) }));
  const changed = { name: 'Four eyes', version: 2, before: policyRules(1), after: policyRules(2) };
  append('audit.policy.changed', audit('policy', policyId, changed));
  append('audit.policy.deleted', audit('policy', old, { name: 'Old', version: 1, before: policyRules(1) }));
  const weakened = [
    { control: 'CHG-06', parameter: 'exemptBranches', repositories: null, before: 'none', after: 'bot/*' },
  ];
  const exemption = { name: 'Four eyes', before: policyRules(2), after: policyRules(2), weakened };
  for (const [version, requestedBy] of [
    [3, undefined],
    [4, 'per_author'],
    [5, 'per_owner'],
  ] as const) {
    append(
      'audit.policy.changed',
      audit('policy', policyId, { ...exemption, version, ...(requestedBy !== undefined && { requestedBy }) }),
      { at: `2026-07-0${version}T10:00:00.000Z`, person: 'per_owner' },
    );
  }
  for (const [id, word] of [
    ['exc_1', 'approved'],
    ['exc_2', 'refused'],
    ['exc_3', 'withdrawn'],
  ] as const) {
    const data = { control: 'CHG-01', subject: 'change:change_3', until: '2026-09-01T00:00:00.000Z' };
    append('audit.waiver.requested', audit('control_waiver', id, data));
    append(`audit.waiver.${word}`, audit('control_waiver', id, data));
  }
  for (const word of ['requested', 'approved', 'expired', 'requested']) {
    const data = { title: 'Weak hash', repository, until: '2026-08-01' };
    append(`audit.finding.waiver_${word}`, audit('finding', 'finding_1', data));
  }
  appendRemediations(append);
  const week = { from: '2026-07-06T00:00:00.000Z', to: '2026-07-13T00:00:00.000Z' };
  const item = 'change:change_3';
  const body = {
    v: 1,
    repository,
    period: week,
    flags: [{ subject: item, controls: ['CHG-01'] }],
    missingEvidence: [],
  };
  const sha = hashOf(body);
  append('digest.created', { digest: digestId, repository, ...week, flagged: 1, missingEvidence: 0, body: sha });
  for (const [decision, completes] of [
    ['follow_up', false],
    ['reviewed', true],
  ] as const) {
    const items: CanonicalValue = completes ? { [item]: 'accepted' } : {};
    append('audit.digest.reviewed', audit('digest', digestId, { decision, completes, repository, body: sha, items }));
  }
  return [{ id: digestId, body }];
}

const quarter = { from: '2026-07-01T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' };

/** The ID of the remediation with two retests. */
export const remediationId = '0198f000-0000-7000-8000-000000000004';

/** Appends the entry of an evaluation at a size of the ledger, and returns the reference to it. */
export function appendEvaluation(
  append: Append,
  { control, size, at, fail = 3 }: { control: string; size: number; at: string; fail?: number },
): { readonly [key: string]: CanonicalValue } {
  const counts = { population: 24, pass: 24 - fail, fail, waived: 0, missing_evidence: 0 };
  const index = append(
    evaluationKind,
    { run: 'run', control, ...quarter, epoch: 1, size, status: 'failing', ...counts },
    { at },
  );
  return { id: `entry-${index}`, epoch: 1, size, at, period: quarter };
}

/** What each entry of a remediation repeats. */
export const remediationData = (
  subject: string,
  evaluation: CanonicalValue,
): { readonly [key: string]: CanonicalValue } => ({
  control: 'CHG-01',
  subject,
  repository: null,
  failure: { evaluation, verdict: 'fail', reasons: ['no_independent_approval'] },
});

/** Appends a step of a remediation. */
export function appendRemediation(
  append: Append,
  id: string,
  data: { readonly [key: string]: CanonicalValue },
  { at, person = 'per_owner', kind = changedKind }: { at: string; person?: string | null; kind?: string },
): void {
  append(kind, audit('remediation', id, data), { at, ...(person !== null && { person }) });
}

/** A remediation with two retests, and one that was only assigned. */
function appendRemediations(append: Append): void {
  const failed = appendEvaluation(append, { control: 'CHG-01', size: 5, at: '2026-07-02T03:17:00.000Z' });
  const fixed = appendEvaluation(append, { control: 'CHG-01', size: 9, at: '2026-07-06T03:17:00.000Z', fail: 2 });
  const data = remediationData('change:change_3', failed);
  const assigned = {
    owner: 'per_author',
    dueOn: '2026-07-10',
    ticketUrl: 'https://tickets.example/browse/SEC-7',
    isRemediated: false,
  };
  appendRemediation(append, remediationId, { ...data, ...assigned }, { at: '2026-07-02T09:00:00.000Z' });
  const retest = { result: 'fail', evaluation: null };
  appendRemediation(
    append,
    remediationId,
    { ...data, ...retest },
    { at: '2026-07-03T09:00:00.000Z', kind: retestedKind },
  );
  const done = { ...assigned, isRemediated: true };
  appendRemediation(append, remediationId, { ...data, ...done }, { at: '2026-07-05T09:00:00.000Z' });
  appendRemediation(
    append,
    remediationId,
    { ...data, result: 'pass', evaluation: fixed },
    { at: '2026-07-06T03:18:00.000Z', person: null, kind: retestedKind },
  );
  const other = remediationData('change:change_10', failed);
  appendRemediation(
    append,
    '0198f000-0000-7000-8000-000000000005',
    { ...other, owner: null, dueOn: null, ticketUrl: 'https://tickets.example/?q=a|b', isRemediated: false },
    { at: '2026-07-02T09:01:00.000Z' },
  );
}
