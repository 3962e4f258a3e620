import { line, ns, oscalVersion } from '../bundle/oscal-terms.ts';
import { uuidOf } from '../bundle/uuid.ts';
import type { CanonicalValue } from '../ledger/canonical.ts';

/** What an auditor concluded from one sample. */
export interface ConcludedSample {
  readonly id: string;
  readonly name: string;
  readonly control: string;
  readonly snapshot: string;
  readonly method: string;
  readonly seed: string | null;
  readonly population: number;
  readonly size: number;
  readonly reason: string;
  readonly conclusion: string;
  readonly note: string;
  readonly rows: readonly ConcludedRow[];
}

export interface ConcludedRow {
  readonly position: number;
  readonly subject: string;
  readonly conclusion: string;
  readonly note: string;
  readonly writtenAt: string;
}

/** A snapshot with the bundle that the auditor read. */
export interface AuditedSnapshot {
  readonly id: string;
  readonly name: string;
  readonly period: { readonly from: string; readonly to: string };
  readonly bundle: { readonly name: string; readonly sha256: string };
}

/** The content of a result. `id`: a random UUID. */
export interface AuditorResult {
  readonly id: string;
  readonly title: string;
  readonly auditor: string;
  readonly organization: string;
  /** RFC 3339. */
  readonly madeAt: string;
  readonly snapshots: readonly AuditedSnapshot[];
  readonly samples: readonly ConcludedSample[];
}

/**
 * Builds the result of an auditor as OSCAL 1.2.1 assessment results: a finding for each sample, an observation for each
 * concluded row, and the hash of each bundle. Snapshots without a sample are left out. Throws without a sample.
 */
export function auditorResultOf(result: AuditorResult): CanonicalValue {
  const { id, title, auditor, organization, madeAt, samples } = result;
  const audited = result.snapshots.filter((one) => samples.some(({ snapshot }) => snapshot === one.id));
  const [first] = audited;
  if (!first) throw new RangeError('A result needs at least one sample with a conclusion');
  const party = uuidOf(id, 'auditor');
  const bundleOf = (snapshot: string) => uuidOf(id, `bundle/${snapshot}`);
  return {
    'assessment-results': {
      uuid: uuidOf(id, 'assessment-results'),
      metadata: {
        title: line(`${title}: result of ${auditor}`),
        'last-modified': madeAt,
        version: '1',
        'oscal-version': oscalVersion,
        roles: [{ id: 'assessor', title: 'Assessor' }],
        parties: [{ uuid: party, type: 'person', name: line(auditor) }],
        'responsible-parties': [{ 'role-id': 'assessor', 'party-uuids': [party] }],
      },
      'import-ap': { href: `#${bundleOf(first.id)}` },
      results: audited.map((snapshot) =>
        resultOf({ id, organization, snapshot, samples: samples.filter((one) => one.snapshot === snapshot.id) }),
      ),
      'back-matter': {
        resources: audited.map(({ id: snapshot, name, bundle }) => ({
          uuid: bundleOf(snapshot),
          title: line(`Bundle of ${name}`),
          rlinks: [
            {
              href: bundle.name,
              'media-type': 'application/zip',
              hashes: [{ algorithm: 'SHA-256', value: bundle.sha256 }],
            },
          ],
        })),
      },
    },
  };
}

interface ResultScope {
  readonly id: string;
  readonly organization: string;
  readonly snapshot: AuditedSnapshot;
  readonly samples: readonly ConcludedSample[];
}

function resultOf({ id, organization, snapshot, samples }: ResultScope): CanonicalValue {
  const observationOf = (sample: ConcludedSample, row: ConcludedRow) =>
    uuidOf(id, `observation/${sample.id}/${row.position}`);
  const observations = samples.flatMap((sample) =>
    sample.rows.map((row) => ({
      uuid: observationOf(sample, row),
      title: line(`${sample.control}: ${row.subject}`),
      description: row.note === '' ? `Concluded: ${row.conclusion}.` : row.note,
      props: [
        { name: 'conclusion', ns, value: row.conclusion },
        { name: 'position', ns, value: String(row.position) },
      ],
      methods: ['EXAMINE'],
      'relevant-evidence': [
        { href: `#${uuidOf(id, `bundle/${snapshot.id}`)}`, description: `Row ${row.position} of ${sample.control}.` },
      ],
      collected: row.writtenAt,
    })),
  );
  const controls = [...new Set(samples.map(({ control }) => control))];
  return {
    uuid: uuidOf(id, `result/${snapshot.id}`),
    title: line(snapshot.name),
    description: `Samples of the evidence of ${organization}, selected and concluded by the auditor.`,
    start: snapshot.period.from,
    end: snapshot.period.to,
    'reviewed-controls': {
      'control-selections': [{ 'include-controls': controls.map((control) => ({ 'control-id': control })) }],
    },
    ...(observations.length > 0 && { observations }),
    findings: samples.map((sample) => ({
      uuid: uuidOf(id, `finding/${sample.id}`),
      title: line(`${sample.control}: ${sample.name}`),
      description: sample.note === '' ? `Concluded: ${sample.conclusion}.` : sample.note,
      props: [
        { name: 'conclusion', ns, value: sample.conclusion },
        { name: 'method', ns, value: sample.method },
        ...(sample.seed === null ? [] : [{ name: 'seed', ns, value: sample.seed }]),
        { name: 'population', ns, value: String(sample.population) },
        { name: 'size', ns, value: String(sample.size) },
      ],
      target: {
        type: 'objective-id',
        'target-id': sample.control,
        status:
          sample.conclusion === 'effective'
            ? { state: 'satisfied' }
            : { state: 'not-satisfied', reason: sample.conclusion === 'exception' ? 'fail' : 'other' },
      },
      ...(sample.rows.length > 0 && {
        'related-observations': sample.rows.map((row) => ({ 'observation-uuid': observationOf(sample, row) })),
      }),
    })),
  };
}
