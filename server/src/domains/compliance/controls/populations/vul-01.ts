import { severities } from '@sightline/contract/core/severities.ts';
import { controls } from '@sightline/evidence/controls/catalog.ts';
import type { SettingOf } from '@sightline/evidence/controls/parameters.ts';
import type { VulnerabilityRow } from '@sightline/evidence/controls/rows.ts';
import { type SettingVersion, settingAt } from '@sightline/evidence/controls/run.ts';
import type { Tx } from '#database/database.ts';
import { settingsOf } from '../settings.ts';
import { approvedOf, dismissalOf, type FindingFact, findingsOf } from './findings.ts';
import { earliest, known, latest, missing, placesOf } from './known.ts';
import type { Population, PopulationQuery } from './population.ts';

/**
 * Findings on default branches. One is fixed once no scanner sees it there any more. Who last looked longer ago than SCN-02 allows
 * cannot say that it is still open.
 */
export const population: Population<VulnerabilityRow> = {
  async *rows(tx, asked) {
    const approved = await approvedOf(tx, asked);
    const isFresh = await freshnessOf(tx, asked);
    for await (const findings of findingsOf(tx, asked, 'all')) {
      yield findings
        .map((finding) => ({ ...rowOf(asked, finding, isFresh), waivers: approved.get(finding.id) ?? [] }))
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

const day = 86_400_000;
const evaluatedAtOf = ({ period, asOf }: PopulationQuery): string => earliest(period.to, asOf.at);

type IsFresh = (repository: string, seenAt: string) => boolean;

/** Whether a scan is recent enough, by SCN-02, to say what is still open. */
async function freshnessOf(tx: Tx, asked: PopulationQuery): Promise<IsFresh> {
  const { parameters } = controls['SCN-02'];
  const settings = (await settingsOf(tx, asked, 'SCN-02')) as readonly SettingVersion<SettingOf<typeof parameters>>[];
  const evaluatedAt = Date.parse(evaluatedAtOf(asked));
  const oldest = new Map<string, number>();
  return (repository, seenAt) => {
    const from =
      oldest.get(repository) ??
      evaluatedAt - settingAt(parameters, settings, evaluatedAt, repository).setting.freshness * day;
    oldest.set(repository, from);
    return Date.parse(seenAt) >= from;
  };
}

function rowOf(asked: PopulationQuery, finding: FindingFact, isFresh: IsFresh): Omit<VulnerabilityRow, 'waivers'> {
  const { period } = asked;
  const evaluatedAt = evaluatedAtOf(asked);
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
    evaluatedAt: evaluatedAt,
    severity: name === undefined ? missing : known(name),
    lastSeenAt: earliest(lastSeenAt, evaluatedAt),
    fixedAt:
      living.length === 0
        ? known(latest(...instances.map(({ since }) => since)))
        : isFresh(finding.repository, lastSeenAt)
          ? known(null)
          : missing,
    dismissal: dismissalOf(finding),
  };
}
