import { cis } from '../frameworks/cis.ts';
import { cra } from '../frameworks/cra.ts';
import { dora } from '../frameworks/dora.ts';
import type { FrameworkData } from '../frameworks/framework.ts';
import { iso27001 } from '../frameworks/iso27001.ts';
import { nis2 } from '../frameworks/nis2.ts';
import { pci } from '../frameworks/pci.ts';
import { samm } from '../frameworks/samm.ts';
import { soc2 } from '../frameworks/soc2.ts';
import { sp80053 } from '../frameworks/sp800-53.ts';
import { ssdf } from '../frameworks/ssdf.ts';

/** The frameworks with the requirements in scope, and which controls provide evidence for them. */
export const frameworkData = { soc2, iso27001, pci, ssdf, sp80053, nis2, dora, cra, cis, samm } as const;
export type FrameworkId = keyof typeof frameworkData;
export const frameworkIds = Object.keys(frameworkData) as readonly FrameworkId[];

const recordOf = <Value>(pick: (data: FrameworkData) => Value) =>
  Object.fromEntries(frameworkIds.map((id) => [id, pick(frameworkData[id])])) as Readonly<Record<FrameworkId, Value>>;

/** The names of the frameworks. */
export const frameworks = recordOf(({ name }) => name);

/** The titles of the requirements of each framework that a control provides evidence for, by identifier. */
export const requirements: Readonly<Record<FrameworkId, Readonly<Record<string, string>>>> = recordOf((data) =>
  Object.fromEntries(
    data.requirements.flatMap(([id, title, found]) => (typeof found === 'string' ? [] : [[id, title]])),
  ),
);

/** The framework requirements that a control provides evidence for. */
export type Crosswalk = { readonly [F in FrameworkId]?: readonly string[] };

/** Returns the requirements that a control provides evidence for, in the order of each publication. */
export function crosswalkOf(control: string): Crosswalk {
  const found = frameworkIds.map((id) => [
    id,
    frameworkData[id].requirements.flatMap(([requirement, , evidence]) =>
      typeof evidence !== 'string' && evidence.some(([controls]) => controls.includes(control)) ? [requirement] : [],
    ),
  ]);
  return Object.fromEntries(found.filter(([, ids]) => ids?.length)) as Crosswalk;
}
