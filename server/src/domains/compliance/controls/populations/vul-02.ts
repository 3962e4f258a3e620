import type { SecretRow } from '@sightline/evidence/controls/rows.ts';
import { approvedWaiversByFinding, dismissalOf, type FindingFact, findingsAt } from './findings.ts';
import type { Population, PopulationQuery } from './population.ts';
import { resultCompleteness } from './results.ts';
import { distinctLeaves, earliest, known, latest, missing } from './row-values.ts';

/**
 * Secrets on default branches. Only secret scanning of a code host reports how a secret was closed. Others are closed
 * by a dismissal, because a secret removed from the code may still be valid.
 */
export const population: Population<SecretRow> = {
  async *rows(tx, query) {
    const approved = await approvedWaiversByFinding(tx, query);
    for await (const findings of findingsAt(tx, query, 'secrets')) {
      yield findings
        .map((finding) => ({ ...rowOf(query, finding), waivers: approved.get(finding.id) ?? [] }))
        .filter(
          ({ closure }) =>
            closure.state === 'missing' || closure.value === null || closure.value.at >= query.period.from,
        );
    }
  },
  completeness: async (tx, query) => [await resultCompleteness(tx, query)],
};

function rowOf({ period, asOf }: PopulationQuery, finding: FindingFact): Omit<SecretRow, 'waivers'> {
  return {
    subject: `finding:${finding.id}`,
    repository: finding.repository,
    leaf: finding.leaf,
    leaves: distinctLeaves([
      ...finding.instances.flatMap(({ leaves }) => leaves),
      ...finding.decisions.map(({ leaf }) => leaf),
    ]),
    firstSeenAt: finding.firstSeenAt,
    periodFrom: period.from,
    evaluatedAt: earliest(period.to, asOf.at),
    closure: closureOf(finding),
  };
}

const closureReasons: Readonly<Record<string, 'rotated' | 'revoked' | 'false_positive'>> = {
  rotated: 'rotated',
  revoked: 'revoked',
  false_positive: 'false_positive',
};

function closureOf(finding: FindingFact): SecretRow['closure'] {
  const dismissal = dismissalOf(finding);
  if (dismissal) return known({ at: dismissal.at, reason: known(closureReasons[dismissal.reason] ?? 'other') });
  const fromSecretScanning = finding.instances.filter(({ source }) => source === 'secret_scanning');
  if (fromSecretScanning.length === 0) return missing;
  if (fromSecretScanning.some(({ state }) => state !== 'fixed')) return known(null);
  return known({ at: latest(...fromSecretScanning.map(({ since }) => since)), reason: known('revoked') });
}
