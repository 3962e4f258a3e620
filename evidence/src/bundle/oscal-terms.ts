import { definitions } from '../controls/catalog.ts';
import type { ControlDefinition } from '../controls/control.ts';
import { byCodeUnits } from '../controls/order.ts';
import type { CanonicalValue } from '../ledger/canonical.ts';

export const oscalVersion = '1.2.1';
export const catalogPath = 'oscal/catalog.json';
export const ns = 'https://sightline.dev/ns/oscal';

export const definitionOf = (id: string): ControlDefinition | undefined => definitions.find((one) => one.id === id);

/** One trimmed line, as OSCAL requires for titles. */
export const line = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/** The ID of the objective of a control in the catalog. */
export const objectiveOf = (id: string): string => `${id}_obj`;

/** The requirements of frameworks that a control supports. */
export const requirementsOf = (definition: ControlDefinition | undefined): CanonicalValue[] =>
  Object.entries(definition?.crosswalk ?? {})
    .toSorted(([one], [other]) => byCodeUnits(one, other))
    .flatMap(([framework, ids]) =>
      (ids ?? []).map((id: string) => ({ name: 'requirement', ns, class: framework, value: id })),
    );
