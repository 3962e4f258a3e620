import type { ControlSetting } from '@sightline/contract/compliance/controls.ts';
import type { PolicyMode } from '@sightline/contract/compliance/policies.ts';
import { type ControlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import type { RecordedWeakening } from '@sightline/evidence/bundle/weakening.ts';
import { defaultsOf, weakenedParameters } from '@sightline/evidence/controls/parameters.ts';
import { canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { controlOf } from '../controls/catalog.ts';
import { type ActivePolicy, type EffectiveSetting, effectiveSettingsOf } from './effective.ts';
import type { PolicyDraft } from './policy-rules.ts';
import { controlsOf } from './status.ts';

interface PolicyChangeRules {
  /** The active policies without the changed one. */
  others: readonly ActivePolicy[];
  /** The policy before and after the change; undefined: not active. */
  before: (PolicyDraft & ActivePolicy) | undefined;
  after: (PolicyDraft & ActivePolicy) | undefined;
}

/**
 * Returns everything that a change of a policy makes less strict: parameters of the effective settings of each control,
 * its mode, and its decisions about tools. Creating, archiving and restoring a policy are changes too.
 */
export function weakeningsOf({ others, before, after }: PolicyChangeRules): RecordedWeakening[] {
  const active = (policy: ActivePolicy | undefined) => effectiveSettingsOf(policy ? [...others, policy] : others);
  const [was, is] = [active(before), active(after)];
  return [
    ...controlIds.flatMap((control) => weakenedSettings(control, was, is)),
    ...(before ? [...weakenedMode(before, after), ...weakenedTools(before, after)] : weakenedTools(undefined, after)),
  ];
}

function weakenedSettings(
  control: ControlId,
  was: readonly EffectiveSetting[],
  is: readonly EffectiveSetting[],
): RecordedWeakening[] {
  const named = new Set([...was, ...is].flatMap((one) => (one.control === control ? (one.repositories ?? []) : [])));
  const compare = (repository: string | null) =>
    compareSettings(control, settingFor(was, control, repository), settingFor(is, control, repository));
  const general = compare(null);
  const ofAll = new Set(general.map((one) => canonicalJson(one)));
  const ofNamed = [...named]
    .flatMap(compare)
    .map((one) => canonicalJson(one))
    .filter((key) => !ofAll.has(key));
  return [
    ...general.map((one) => ({ ...one, repositories: null })),
    ...[...Map.groupBy(ofNamed, (key) => key)].map(([key, { length }]) => ({
      ...(JSON.parse(key) as WeakenedParameter),
      repositories: length,
    })),
  ];
}

type WeakenedParameter = Omit<RecordedWeakening, 'repositories'>;

function compareSettings(control: ControlId, was: ControlSetting, is: ControlSetting): WeakenedParameter[] {
  return weakenedParameters(controlOf(control).parameters, was as never, is as never).map((parameter) => ({
    control,
    parameter,
    before: valueText(was[parameter]),
    after: valueText(is[parameter]),
  }));
}

/** The setting for a repository, or for those that no policy names; the defaults without a policy. */
const settingFor = (
  effective: readonly EffectiveSetting[],
  control: ControlId,
  repository: string | null,
): ControlSetting => {
  const all = effective.filter((one) => one.control === control);
  const found =
    all.find(({ repositories }) => repository !== null && repositories?.includes(repository)) ??
    all.find(({ repositories }) => repositories === null);
  return found?.setting ?? (defaultsOf(controlOf(control).parameters) as ControlSetting);
};

const modes: readonly PolicyMode[] = ['observe', 'warn', 'enforce'];

/** An archived policy enforces and warns as little as one that observes. */
function weakenedMode(before: PolicyDraft & ActivePolicy, after: PolicyDraft | undefined): RecordedWeakening[] {
  if (modes.indexOf(after?.mode ?? 'observe') >= modes.indexOf(before.mode)) return [];
  return controlsOf(before).map((control) => ({
    control,
    parameter: 'mode',
    repositories: before.scope.repositories?.length ?? null,
    before: before.mode,
    after: after?.mode ?? 'archived',
  }));
}

/** A policy that allows tools is less strict with more of them, one that denies tools with fewer. */
function weakenedTools(before: PolicyDraft | undefined, after: PolicyDraft | undefined): RecordedWeakening[] {
  const toolsOf = (policy: PolicyDraft | undefined) =>
    (policy?.scope.tools ?? []).map(({ id, versions }) => (versions ? `${id} ${versions.join(', ')}` : id));
  const [was, is] = [toolsOf(before), toolsOf(after)];
  const [fewer, more] = (before ?? after)?.kind === 'tool-deny' ? [is, was] : [was, is];
  if (more.every((tool) => fewer.includes(tool))) return [];
  return [{ control: 'TOL-01', parameter: 'tools', repositories: null, before: valueText(was), after: valueText(is) }];
}

const MAX_TEXT_LENGTH = 200;

function valueText(value: ControlSetting[string] | undefined): string {
  const text = Array.isArray(value) ? value.join(', ') || 'none' : String(value);
  const letters = [...text];
  return letters.length > MAX_TEXT_LENGTH ? `${letters.slice(0, MAX_TEXT_LENGTH - 1).join('')}…` : text;
}
