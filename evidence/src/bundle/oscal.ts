import { definitions } from '../controls/catalog.ts';
import type { ControlDefinition } from '../controls/control.ts';
import { byCodeUnits } from '../controls/order.ts';
import { countsText } from '../controls/verdicts.ts';
import { type CanonicalValue, isList, isRecord } from '../ledger/canonical.ts';
import type { Manifest } from './manifest.ts';
import type { ControlWithRows } from './packed-run.ts';
import { uuidOf } from './uuid.ts';

export const oscalPath = 'oscal/assessment-results.json';
export const oscalVersion = '1.2.1';
export const ns = 'https://sightline.dev/ns/oscal';

/** Builds OSCAL 1.2.1 assessment results. `takenAt`: the time of the last census. */
export function oscalOf(
  manifest: Omit<Manifest, 'files'>,
  takenAt: string,
  controls: readonly Pick<ControlWithRows, 'id' | 'run'>[],
): CanonicalValue {
  const { bundleId, name, org, period } = manifest;
  const catalog = uuidOf(bundleId, 'catalog');
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
      'import-ap': { href: `#${catalog}` },
      results: [
        {
          uuid: uuidOf(bundleId, 'result'),
          title: line(name),
          description: `Controls evaluated with the ledger ${manifest.ledger.origin} at size ${manifest.evaluated.size}. The ledger is tamper-evident. It proves what was received and when, not that it is true.`,
          start: period.from,
          end: period.to,
          'reviewed-controls': {
            'control-selections': [{ 'include-controls': controls.map(({ id }) => ({ 'control-id': id })) }],
          },
          observations: controls.map(({ id, run: { counts, exclusions, status } }) => ({
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
          {
            uuid: catalog,
            title: 'The catalog of controls as assessment plan',
            rlinks: [{ href: '../controls/catalog.json', 'media-type': 'application/json' }],
          },
          ...controls.map(({ id }) => ({
            uuid: evidence(id),
            title: `Evidence of ${id}`,
            rlinks: [{ href: `../evidence/${id}.jsonl`, 'media-type': 'application/jsonl' }],
          })),
        ],
      },
    },
  };
}

function findingOf(
  bundleId: string,
  { id, run: { counts, status } }: Pick<ControlWithRows, 'id' | 'run'>,
): CanonicalValue {
  const definition = definitionOf(id);
  return {
    uuid: uuidOf(bundleId, `finding/${id}`),
    title: line(`${id}: ${definition?.title ?? ''}`),
    description: `${countsText(counts)}.`,
    props: [{ name: 'missing-evidence', ns, value: String(counts.missing_evidence) }, ...requirementsOf(definition)],
    target: {
      type: 'objective-id',
      'target-id': id,
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

const requirementsOf = (definition: ControlDefinition | undefined): CanonicalValue[] =>
  Object.entries(definition?.crosswalk ?? {})
    .toSorted(([one], [other]) => byCodeUnits(one, other))
    .flatMap(([framework, ids]) =>
      (ids ?? []).map((id: string) => ({ name: 'requirement', ns, class: framework, value: id })),
    );

const definitionOf = (id: string): ControlDefinition | undefined => definitions.find((one) => one.id === id);

/** One trimmed line, as OSCAL requires for titles. */
export const line = (text: string): string => text.replace(/\s+/gu, ' ').trim();

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
