import type { ControlId, ControlSetting } from '@sightline/contract/controls.ts';
import { controlIds } from '@sightline/contract/controls.ts';
import { strictest } from './stricter.ts';
import type { Said } from './wanted.ts';

/** A version of a policy that holds. */
export interface Held extends Said {
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
export const effectiveOf = (policies: readonly Held[]): Effective[] =>
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

function together(control: ControlId, policies: readonly Held[], repositories: readonly string[] | null): Effective {
  const [only, ...more] = policies;
  return {
    control,
    setting: strictest(
      control,
      policies.map(({ settings }) => settings[control]).filter((setting) => setting !== undefined),
    ),
    repositories,
    policy: only && more.length === 0 ? { id: only.id, version: only.version } : null,
  };
}
