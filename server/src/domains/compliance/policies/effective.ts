import type { ControlSetting } from '@sightline/contract/compliance/controls.ts';
import { type ControlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import { settingFrom, strictestOf } from '@sightline/evidence/controls/parameters.ts';
import { controlOf } from '../controls/catalog.ts';
import type { PolicyRules } from './policy-rules.ts';

/** An active version of a policy. */
export interface ActivePolicy extends PolicyRules {
  id: string;
  version: number;
}

/** The effective setting of a control, for the named repositories or all others. */
export interface EffectiveSetting {
  control: ControlId;
  setting: ControlSetting;
  repositories: readonly string[] | null;
  /** The source policy; null if several are combined. */
  policy: { id: string; version: number } | null;
}

/**
 * Combines policies into the effective settings of each control. Policies that name a repository override those for all
 * repositories. If several apply, the strictest value of each parameter wins.
 */
export const effectiveSettingsOf = (policies: readonly ActivePolicy[]): EffectiveSetting[] =>
  controlIds.flatMap((control) => {
    const setting = policies.filter(({ settings }) => settings[control] !== undefined);
    const forAll = setting.filter(({ scope }) => scope.repositories === null);
    const groups = Map.groupBy(new Set(setting.flatMap(({ scope }) => scope.repositories ?? [])), (repository) =>
      setting
        .filter(({ scope }) => scope.repositories?.includes(repository))
        .map(({ id }) => id)
        .toSorted()
        .join(),
    );
    return [
      ...(forAll.length > 0 ? [combine(control, forAll, null)] : []),
      ...[...groups].map(([ids, repositories]) =>
        combine(
          control,
          setting.filter(({ id }) => ids.includes(id)),
          repositories.toSorted(),
        ),
      ),
    ];
  });

function combine(
  control: ControlId,
  policies: readonly ActivePolicy[],
  repositories: readonly string[] | null,
): EffectiveSetting {
  const [only, ...more] = policies;
  const { parameters } = controlOf(control);
  // A policy stored by an older version of Sightline may lack parameters, which then have their defaults.
  const [first = settingFrom(parameters, {}), ...others] = policies.map(({ settings }) =>
    settingFrom(parameters, settings[control] ?? {}),
  );
  return {
    control,
    setting: strictestOf(parameters, first, others) as ControlSetting,
    repositories,
    policy: only && more.length === 0 ? { id: only.id, version: only.version } : null,
  };
}
