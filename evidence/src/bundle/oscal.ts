import { countsText } from '../controls/verdicts.ts';
import { type CanonicalValue, isList, isRecord } from '../ledger/canonical.ts';
import type { Manifest } from './manifest.ts';
import {
  catalogResource,
  type HashOf,
  localDefinitions,
  originsOf,
  planPath,
  resourceOf,
  reviewedControls,
  subjectOf,
} from './oscal-plan.ts';
import { definitionOf, line, ns, objectiveOf, oscalVersion, requirementsOf } from './oscal-terms.ts';
import type { ControlSummary } from './packed-run.ts';
import { uuidOf } from './uuid.ts';

export const oscalPath = 'oscal/assessment-results.json';

type AssessedControl = Pick<ControlSummary, 'id' | 'run' | 'repositories'>;

/** Builds OSCAL 1.2.1 assessment results. `takenAt`: the time of the last census. */
export function oscalOf(
  manifest: Omit<Manifest, 'files'>,
  takenAt: string,
  controls: readonly AssessedControl[],
  hashOf: HashOf,
): CanonicalValue {
  const { bundleId, name, org, period } = manifest;
  const evidence = (id: string) => uuidOf(bundleId, `evidence/${id}`);
  return {
    'assessment-results': {
      uuid: uuidOf(bundleId, 'assessment-results'),
      metadata: {
        title: line(`${name}, ${org.name}`),
        'last-modified': takenAt,
        version: '1',
        'oscal-version': oscalVersion,
      },
      'import-ap': { href: `#${uuidOf(bundleId, 'plan')}` },
      results: [
        {
          uuid: uuidOf(bundleId, 'result'),
          title: line(name),
          description: `Controls evaluated with the ledger ${manifest.ledger.origin} at size ${manifest.evaluated.size}. The ledger is tamper-evident. It proves what was received and when, not that it is true.`,
          start: period.from,
          end: period.to,
          'local-definitions': localDefinitions(manifest, controls),
          'reviewed-controls': reviewedControls(
            bundleId,
            controls.map(({ id }) => id),
          ),
          observations: controls.map(({ id, repositories, run: { counts, exclusions, status } }) => ({
            uuid: uuidOf(bundleId, `observation/${id}`),
            title: line(`${id}: ${definitionOf(id)?.title ?? ''}`),
            description: definitionOf(id)?.rule ?? id,
            props: [
              { name: 'status', ns, value: status },
              ...Object.entries(counts).map(([counted, value]) => ({ name: counted, ns, value: String(value) })),
              ...exclusions.map(({ parameter, setting, items }) => ({
                name: 'excluded',
                ns,
                class: parameter,
                value: String(items),
                remarks: `By version ${setting} of the setting.`,
              })),
            ],
            methods: ['TEST'],
            origins: originsOf(bundleId),
            ...(repositories.length > 0 && { subjects: repositories.map((one) => subjectOf(bundleId, one)) }),
            'relevant-evidence': [
              { href: `#${evidence(id)}`, description: 'Every item of the population with its facts and verdict.' },
            ],
            collected: takenAt,
          })),
          findings: controls.map((one) => findingOf(bundleId, one)),
        },
      ],
      'back-matter': {
        resources: [
          resourceOf(bundleId, 'plan', { title: 'The assessment plan', path: planPath, hashOf }),
          catalogResource(bundleId, hashOf),
          ...controls.map(({ id }) =>
            resourceOf(bundleId, `evidence/${id}`, {
              title: `Evidence of ${id}`,
              path: `evidence/${id}.jsonl`,
              hashOf,
            }),
          ),
        ],
      },
    },
  };
}

function findingOf(
  bundleId: string,
  { id, run: { counts, status } }: Pick<AssessedControl, 'id' | 'run'>,
): CanonicalValue {
  const definition = definitionOf(id);
  return {
    uuid: uuidOf(bundleId, `finding/${id}`),
    title: line(`${id}: ${definition?.title ?? ''}`),
    description: `${countsText(counts)}.`,
    props: [{ name: 'missing-evidence', ns, value: String(counts.missing_evidence) }, ...requirementsOf(definition)],
    origins: originsOf(bundleId),
    target: {
      type: 'objective-id',
      'target-id': objectiveOf(id),
      // OSCAL has two states only.
      status:
        status === 'passing'
          ? { state: 'satisfied' }
          : { state: 'not-satisfied', reason: status === 'failing' ? 'fail' : 'other', remarks: remarks[status] },
    },
    'related-observations': [{ 'observation-uuid': uuidOf(bundleId, `observation/${id}`) }],
  };
}

const remarks = {
  failing: 'Items fail.',
  missing_evidence: 'Evidence is missing, the population may be incomplete, or settings exclude all of it.',
  not_applicable: 'The population is empty.',
};

/** Returns dangling references and duplicate IDs of an OSCAL document, which the schema does not detect. */
export function danglingReferencesIn(document: CanonicalValue): readonly string[] {
  const ids: string[] = [];
  const references: string[] = [];
  const collect = (key: string, text: string): void => {
    if (key === 'uuid') ids.push(text);
    else if (key.endsWith('-uuid')) references.push(text);
    else if (key === 'href' && text.startsWith('#')) references.push(text.slice(1));
  };
  const walk = (value: CanonicalValue): void => {
    if (isList(value)) for (const one of value) walk(one);
    else if (isRecord(value))
      for (const [key, one] of Object.entries(value)) typeof one === 'string' ? collect(key, one) : walk(one);
  };
  walk(document);
  const twice = ids.filter((id, index) => ids.indexOf(id) < index);
  return [...references.filter((id) => !ids.includes(id)), ...twice];
}
