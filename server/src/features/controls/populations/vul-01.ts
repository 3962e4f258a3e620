import { severities } from '@sightline/contract/severities.ts';
import type { WeaknessRow } from '@sightline/evidence/controls/rows.ts';
import { approvedOf, dismissalOf, type Finding, findingsOf } from './findings.ts';
import { earliest, known, latest, missing, placesOf } from './known.ts';
import type { Asked, Population } from './population.ts';

/**
 * Findings on default branches. One is fixed once no scanner sees it there any more. Who last looked longer ago than SCN-02 allows
 * cannot say that it is still open.
 */
export const population: Population<WeaknessRow> = {
  async *rows(tx, asked) {
    const approved = await approvedOf(tx, asked);
    for await (const findings of findingsOf(tx, asked, 'all')) {
      yield findings
        .map((finding) => ({ ...rowOf(asked, finding), approved: approved.get(finding.id) ?? [] }))
        .filter(
          ({ fixedAt }) => fixedAt.state === 'missing' || fixedAt.value === null || fixedAt.value >= asked.period.from,
        );
    }
  },
  async completeness(tx, asked) {
    let found = 0;
    for await (const findings of findingsOf(tx, asked, 'all')) found += findings.length;
    return [{ source: 'findings', expected: found, found }];
  },
};

const fresh = 7 * 86_400_000;

function rowOf({ period, asOf }: Asked, finding: Finding): Omit<WeaknessRow, 'approved'> {
  const judgedAt = earliest(period.to, asOf.at);
  const { instances, severity } = finding;
  const living = instances.filter(({ state }) => state !== 'fixed');
  const lastSeenAt = latest(
    ...(living.length > 0 ? living : instances).map((one) =>
      one.state === 'fixed' ? finding.firstSeenAt : one.lastSeenAt,
    ),
  );
  const name = severity === null ? undefined : severities[severity];
  return {
    subject: `finding:${finding.id}`,
    repository: finding.repository,
    leaf: finding.leaf,
    leaves: placesOf([...instances.flatMap(({ leaves }) => leaves), ...finding.decisions.map(({ leaf }) => leaf)]),
    firstSeenAt: finding.firstSeenAt,
    periodFrom: period.from,
    judgedAt,
    severity: name === undefined ? missing : known(name),
    lastSeenAt: earliest(lastSeenAt, judgedAt),
    fixedAt:
      living.length === 0
        ? known(latest(...instances.map(({ since }) => since)))
        : Date.parse(lastSeenAt) >= Date.parse(judgedAt) - fresh
          ? known(null)
          : missing,
    dismissal: dismissalOf(finding),
  };
}
