import type { Verdict } from '@sightline/contract/compliance/controls.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { Parameters, SettingOf } from '@sightline/evidence/controls/parameters.ts';
import { runControl } from '@sightline/evidence/controls/run.ts';
import type { HostStatus } from '#providers/code-host.ts';
import type { OpenPullRequest } from '../changes/commands.ts';
import { controlOf } from '../controls/catalog.ts';
import { type ActivePolicy, type EffectiveSetting, effectiveSettingsOf } from './effective.ts';

/** The verdict of a control on an open pull request. */
export interface PullRequestVerdict {
  control: ControlId;
  verdict: Verdict;
  reasons: readonly string[];
}

/** Evaluates policies for an open pull request, without controls that none of them sets. */
export function verdictsOf(
  open: OpenPullRequest,
  repositoryId: string,
  policies: readonly ActivePolicy[],
): PullRequestVerdict[] {
  const effective = effectiveSettingsOf(policies);
  return (Object.keys(open.rows) as ControlId[]).flatMap((control) => {
    const of = effective.filter((one) => one.control === control);
    const applicable =
      of.find(({ repositories }) => repositories?.includes(repositoryId)) ??
      of.find((one) => one.repositories === null);
    return applicable ? verdictOf(open, applicable) : [];
  });
}

/** Evaluates a control; empty if the branch is not in scope. */
function verdictOf(open: OpenPullRequest, { control, setting: values }: EffectiveSetting): PullRequestVerdict[] {
  const row = open.rows[control];
  if (!row) return [];
  const setting = values as SettingOf<Parameters>;
  const version = { version: 1, from: '1970-01-01T00:00:00.000Z', until: null, repositories: null, setting };
  const [evaluated] = runControl(controlOf(control), [row], [version], []).rows;
  return evaluated ? [{ control, verdict: evaluated.verdict, reasons: evaluated.reasons }] : [];
}

/** Fails on a violation and is pending on missing evidence: unknown facts never pass. */
export function statusOf(verdicts: readonly PullRequestVerdict[]): Pick<HostStatus, 'state' | 'description'> {
  if (verdicts.length === 0) return { state: 'success', description: 'No enforced policy applies' };
  const controlsWith = (verdict: Verdict) =>
    verdicts.filter((one) => one.verdict === verdict).map(({ control }) => control);
  const [failing, open] = [controlsWith('fail'), controlsWith('missing_evidence')];
  if (failing.length > 0) return { state: 'failure', description: `Violations: ${failing.join(', ')}` };
  if (open.length > 0) return { state: 'pending', description: `Missing evidence: ${open.join(', ')}` };
  return { state: 'success', description: `Compliant: ${verdicts.map(({ control }) => control).join(', ')}` };
}
