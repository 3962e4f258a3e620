import type { FrameworkDetails, FrameworkRequirement } from '@sightline/contract/compliance/frameworks.ts';
import { uuidOf } from '@sightline/evidence/bundle/uuid.ts';
import { statusLabels } from '@sightline/evidence/controls/verdicts.ts';
import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';

const ns = 'https://sightline.dev/ns/oscal';

/**
 * Builds OSCAL 1.2.1 assessment results of a framework: an observation for each mapped control, and a finding for each
 * requirement. A requirement is satisfied only if controls cover it and each applicable one passes.
 */
export function assessmentResultsOf(framework: FrameworkDetails, organization: string, at: Date): CanonicalValue {
  const { id, name, period, mapping, controls, rows, source } = framework;
  const named = (of: string) => uuidOf(uuidOf(root, `${id} ${mapping.sha256} ${at.toISOString()}`), of);
  const statuses = new Map(controls.map((control) => [control.id, control.status]));
  return {
    'assessment-results': {
      uuid: named('assessment-results'),
      metadata: {
        title: `${name}, ${organization}`.replaceAll(/\s+/g, ' ').trim(),
        'last-modified': at.toISOString(),
        version: String(mapping.version),
        'oscal-version': '1.2.1',
        props: [
          { name: 'mapping-sha256', ns, value: mapping.sha256 },
          { name: 'mapping-approved', ns, value: mapping.approved ? mapping.approved.at : 'no' },
        ],
      },
      'import-ap': { href: `#${named('framework')}` },
      results: [
        {
          uuid: named('result'),
          title: name,
          description:
            'Evidence for requirements. A control provides evidence for a requirement and never fulfills it alone.',
          start: period.from,
          end: period.to,
          'reviewed-controls': {
            'control-selections': [{ 'include-controls': rows.map((row) => ({ 'control-id': tokenOf(row.id) })) }],
          },
          ...(controls.length > 0 && {
            observations: controls.map((control) => ({
              uuid: named(`observation ${control.id}`),
              title: `${control.id}: ${control.title}`,
              description: `Status of the control in the period: ${labelOf(control.status)}.`,
              props: [{ name: 'status', ns, value: control.status }],
              methods: ['TEST'],
              collected: at.toISOString(),
            })),
          }),
          findings: rows.map((row) => ({
            uuid: named(`finding ${row.id}`),
            title: `${row.id}: ${row.title}`,
            description: descriptionOf(row),
            props: [{ name: 'requirement', ns, class: tokenOf(id), value: row.id }],
            target: { type: 'objective-id', 'target-id': tokenOf(row.id), status: stateOf(row, statuses) },
            ...(row.controls.length > 0 && {
              'related-observations': row.controls.map((control) => ({
                'observation-uuid': named(`observation ${control.id}`),
              })),
            }),
          })),
        },
      ],
      'back-matter': { resources: [{ uuid: named('framework'), title: name, description: source }] },
    },
  };
}

const root = uuidOf('6ba7b811-9dad-11d1-80b4-00c04fd430c8', 'https://sightline.dev/frameworks');

/** OSCAL tokens begin with a letter or underscore. */
const tokenOf = (id: string): string => (/^[\p{L}_]/u.test(id) ? id : `_${id}`).replaceAll(/[^\p{L}\p{N}.\-_]/gu, '-');

const labelOf = (status: FrameworkDetails['controls'][number]['status']): string =>
  status === 'not_evaluated' ? 'Not evaluated' : statusLabels[status];

const descriptionOf = ({ controls, gap }: FrameworkRequirement): string =>
  controls.length === 0
    ? `No control covers this requirement.${gap === null ? '' : ` ${gap}`}`
    : controls.map(({ id, rationale }) => `${id}: ${rationale}`).join(' ');

type Statuses = ReadonlyMap<string, FrameworkDetails['controls'][number]['status']>;

/** OSCAL has two states only. A missing fact is never a pass. */
function stateOf({ controls }: FrameworkRequirement, statuses: Statuses): CanonicalValue {
  const found = controls.map(({ id }) => statuses.get(id) ?? 'not_evaluated');
  const applicable = found.filter((status) => status !== 'not_applicable');
  if (applicable.length > 0 && applicable.every((status) => status === 'passing')) return { state: 'satisfied' };
  const failing = applicable.includes('failing');
  const remarks =
    controls.length === 0
      ? 'No control covers this requirement.'
      : failing
        ? 'A control is failing.'
        : 'Evidence is missing, or no control is applicable.';
  return { state: 'not-satisfied', reason: failing ? 'fail' : 'other', remarks };
}
