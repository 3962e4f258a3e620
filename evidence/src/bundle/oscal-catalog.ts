import { definitions } from '../controls/catalog.ts';
import type { ControlDefinition } from '../controls/control.ts';
import type { CanonicalValue } from '../ledger/canonical.ts';
import type { Manifest } from './manifest.ts';
import { type HashOf, resourceOf } from './oscal-plan.ts';
import { line, objectiveOf, oscalVersion, requirementsOf } from './oscal-terms.ts';
import { uuidOf } from './uuid.ts';

/** Builds an OSCAL 1.2.1 catalog of all controls, which plan and results refer to. `takenAt`: as in results. */
export const oscalCatalogOf = (
  { bundleId, catalog }: Pick<Manifest, 'bundleId' | 'catalog'>,
  takenAt: string,
  hashOf: HashOf,
): CanonicalValue => ({
  catalog: {
    uuid: uuidOf(bundleId, 'controls'),
    metadata: {
      title: 'Controls of Sightline',
      'last-modified': takenAt,
      version: catalog,
      'oscal-version': oscalVersion,
    },
    controls: definitions.map(controlOf),
    'back-matter': {
      resources: [
        resourceOf(bundleId, 'definitions', {
          title: 'The definitions of the controls',
          path: 'controls/catalog.json',
          hashOf,
        }),
      ],
    },
  },
});

function controlOf(definition: ControlDefinition): CanonicalValue {
  const { id, title, rule, population, verdicts } = definition;
  const requirements = requirementsOf(definition);
  return {
    id,
    title: line(title),
    ...(requirements.length > 0 && { props: requirements }),
    parts: [
      { id: `${id}_smt`, name: 'statement', prose: rule },
      { id: `${id}_gdn`, name: 'guidance', prose: population },
      { id: objectiveOf(id), name: 'assessment-objective', prose: verdicts.pass },
    ],
  };
}
