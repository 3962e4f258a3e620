import type { ControlId } from '../controls/catalog.ts';
import { byCodeUnits } from '../controls/order.ts';
import type { CanonicalValue } from '../ledger/canonical.ts';
import type { Manifest } from './manifest.ts';
import { catalogPath, definitionOf, line, ns, oscalVersion } from './oscal-terms.ts';
import type { ControlSummary } from './packed-run.ts';
import { uuidOf } from './uuid.ts';

export const planPath = 'oscal/assessment-plan.json';

/** Returns the SHA-256 of a file of the bundle, in hex. */
export type HashOf = (path: string) => string;

type Scope = Pick<Manifest, 'bundleId' | 'catalog' | 'period' | 'name' | 'org'>;
type Assessed = Pick<ControlSummary, 'id' | 'repositories'>;

/** Builds an OSCAL 1.2.1 assessment plan: what was to be evaluated, with which program. `takenAt`: as in results. */
export function assessmentPlanOf(
  scope: Scope,
  takenAt: string,
  controls: readonly Assessed[],
  hashOf: HashOf,
): CanonicalValue {
  const { bundleId, name, org, period } = scope;
  const subjects = repositoriesOf(controls);
  return {
    'assessment-plan': {
      uuid: uuidOf(bundleId, 'assessment-plan'),
      metadata: {
        title: line(`${name}, ${org.name}: assessment plan`),
        'last-modified': takenAt,
        version: '1',
        'oscal-version': oscalVersion,
      },
      'import-ssp': { href: `#${uuidOf(bundleId, 'system')}` },
      ...(subjects.length > 0 && { 'local-definitions': { 'inventory-items': inventoryOf(bundleId, subjects) } }),
      'reviewed-controls': reviewedControls(
        bundleId,
        controls.map(({ id }) => id),
      ),
      ...(subjects.length > 0 && {
        'assessment-subjects': [
          { type: 'inventory-item', 'include-subjects': subjects.map((id) => subjectOf(bundleId, id)) },
        ],
      }),
      'assessment-assets': assessmentAssets(scope),
      tasks: controls.map(({ id }) => ({
        uuid: uuidOf(bundleId, `task/${id}`),
        type: 'action',
        title: line(`${id}: ${definitionOf(id)?.title ?? ''}`),
        description: definitionOf(id)?.rule ?? id,
        timing: { 'within-date-range': { start: period.from, end: period.to } },
        remarks: definitionOf(id)?.population ?? id,
      })),
      'back-matter': {
        resources: [
          resourceOf(bundleId, 'system', {
            title: 'The repositories of the system',
            path: 'repositories.jsonl',
            hashOf,
          }),
          catalogResource(bundleId, hashOf),
        ],
      },
    },
  };
}

/** The repositories with rows of any of the controls, in order of their IDs. */
const repositoriesOf = (controls: readonly Assessed[]): readonly string[] =>
  [...new Set(controls.flatMap(({ repositories }) => repositories))].toSorted(byCodeUnits);

/** What results refer to: the repositories as inventory items, and the program as tool. */
export const localDefinitions = (scope: Scope, controls: readonly Assessed[]): CanonicalValue => {
  const subjects = repositoriesOf(controls);
  return {
    ...(subjects.length > 0 && { 'inventory-items': inventoryOf(scope.bundleId, subjects) }),
    'assessment-assets': assessmentAssets(scope),
  };
};

const inventoryOf = (bundleId: string, repositories: readonly string[]): CanonicalValue[] =>
  repositories.map((id) => ({
    uuid: uuidOf(bundleId, `repository/${id}`),
    description: 'A repository of a code host, by its ID in repositories.jsonl.',
    props: [{ name: 'repository', ns, value: line(id) }],
  }));

export const subjectOf = (bundleId: string, repository: string): CanonicalValue => ({
  'subject-uuid': uuidOf(bundleId, `repository/${repository}`),
  type: 'inventory-item',
});

/** Who made an observation or finding: the program. */
export const originsOf = (bundleId: string): CanonicalValue[] => [
  { actors: [{ type: 'tool', 'actor-uuid': uuidOf(bundleId, 'tool') }] },
];

const assessmentAssets = ({ bundleId, catalog }: Scope): CanonicalValue => ({
  components: [
    {
      uuid: uuidOf(bundleId, 'tool'),
      type: 'software',
      title: 'Sightline',
      description: `Evaluates the controls of version ${catalog} of its catalog from received data.`,
      status: { state: 'operational' },
    },
  ],
  'assessment-platforms': [
    {
      uuid: uuidOf(bundleId, 'platform'),
      title: 'Sightline',
      'uses-components': [{ 'component-uuid': uuidOf(bundleId, 'tool') }],
    },
  ],
});

/** The controls with the catalog that defines them. */
export const reviewedControls = (bundleId: string, ids: readonly ControlId[]): CanonicalValue => ({
  links: [{ href: `#${uuidOf(bundleId, 'catalog')}`, rel: 'reference' }],
  'control-selections': [{ 'include-controls': ids.map((id) => ({ 'control-id': id })) }],
});

/** A file of the bundle with its hash. */
export const resourceOf = (
  bundleId: string,
  name: string,
  { title, path, hashOf }: { title: string; path: string; hashOf: HashOf },
): CanonicalValue => ({
  uuid: uuidOf(bundleId, name),
  title,
  rlinks: [
    {
      href: `../${path}`,
      'media-type': path.endsWith('.jsonl') ? 'application/jsonl' : 'application/json',
      hashes: [{ algorithm: 'SHA-256', value: hashOf(path) }],
    },
  ],
});

export const catalogResource = (bundleId: string, hashOf: HashOf): CanonicalValue =>
  resourceOf(bundleId, 'catalog', { title: 'The catalog of controls', path: catalogPath, hashOf });
