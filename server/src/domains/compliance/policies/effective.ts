import type { ControlSetting } from '@sightline/contract/compliance/controls.ts';
import { type ControlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import { settingFrom, strictestOf } from '@sightline/evidence/controls/parameters.ts';
import { controlOf } from '../controls/catalog.ts';
import type { PolicyRules } from './wanted.ts';

/** A version of a policy that holds. */
export interface ActivePolicy extends PolicyRules {
  id: string;
  version: number;
}

/** What holds for a control, of the repositories named or of all others. */
export interface Effective {
  control: ControlId;
  setting: ControlSetting;
  repositories: readonly string[] | null;
  /** The policy it comes from; null where several are taken together. */
  policy: { id: string; version: number } | null;
}

/**
 * What policies amount to for each control. Of a repository that a policy names, those that name it decide; of every other, those
 * for all. Where several decide, the strictest value of each parameter holds.
 */
export const effectiveOf = (policies: readonly ActivePolicy[]): Effective[] =>
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
      ...(forAll.length > 0 ? [together(control, forAll, null)] : []),
      ...[...groups].map(([ids, repositories]) =>
        together(
          control,
          setting.filter(({ id }) => ids.includes(id)),
          repositories.toSorted(),
        ),
      ),
    ];
  });

function together(
  control: ControlId,
  policies: readonly ActivePolicy[],
  repositories: readonly string[] | null,
): Effective {
  const [only, ...more] = policies;
  const { parameters } = controlOf(control);
  // An older version of Sightline may have stored a policy: what it lacks has its default.
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
