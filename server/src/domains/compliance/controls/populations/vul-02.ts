import type { SecretRow } from '@sightline/evidence/controls/rows.ts';
import { approvedOf, dismissalOf, type FindingFact, findingsOf } from './findings.ts';
import { earliest, known, latest, missing, placesOf } from './known.ts';
import type { Population, PopulationQuery } from './population.ts';

/**
 * Secrets on default branches. Only secret scanning of a code host tells how they were closed; of others, people do by dismissing
 * them, and a secret that is gone from the code may still open every door.
 */
export const population: Population<SecretRow> = {
  async *rows(tx, asked) {
    const approved = await approvedOf(tx, asked);
    for await (const findings of findingsOf(tx, asked, 'secrets')) {
      yield findings
        .map((finding) => ({ ...rowOf(asked, finding), waivers: approved.get(finding.id) ?? [] }))
        .filter(
          ({ closure }) =>
            closure.state === 'missing' || closure.value === null || closure.value.at >= asked.period.from,
        );
    }
  },
  async completeness(tx, asked) {
    let found = 0;
    for await (const findings of findingsOf(tx, asked, 'secrets')) found += findings.length;
    return [{ source: 'findings', expected: found, found }];
  },
};

function rowOf({ period, asOf }: PopulationQuery, finding: FindingFact): Omit<SecretRow, 'waivers'> {
  return {
    subject: `finding:${finding.id}`,
    repository: finding.repository,
    leaf: finding.leaf,
    leaves: placesOf([
      ...finding.instances.flatMap(({ leaves }) => leaves),
      ...finding.decisions.map(({ leaf }) => leaf),
    ]),
    firstSeenAt: finding.firstSeenAt,
    periodFrom: period.from,
    evaluatedAt: earliest(period.to, asOf.at),
    closure: closingOf(finding),
  };
}

const closings: Readonly<Record<string, 'rotated' | 'revoked' | 'false_positive'>> = {
  rotated: 'rotated',
  revoked: 'revoked',
  false_positive: 'false_positive',
};

function closingOf(finding: FindingFact): SecretRow['closure'] {
  const dismissal = dismissalOf(finding);
  if (dismissal) return known({ at: dismissal.at, reason: known(closings[dismissal.reason] ?? 'other') });
  const telling = finding.instances.filter(({ source }) => source === 'secret_scanning');
  if (telling.length === 0) return missing;
  if (telling.some(({ state }) => state !== 'fixed')) return known(null);
  return known({ at: latest(...telling.map(({ since }) => since)), reason: known('revoked') });
}
