import { severities } from '@sightline/contract/core/severities.ts';
import { controls } from '@sightline/evidence/controls/control-list.ts';
import type { SettingOf } from '@sightline/evidence/controls/parameters.ts';
import type { VulnerabilityRow } from '@sightline/evidence/controls/rows.ts';
import { type SettingVersion, settingAt } from '@sightline/evidence/controls/run.ts';
import type { Tx } from '#database/database.ts';
import { settingsAtCheckpoint } from '../settings-at-checkpoint.ts';
import { approvedWaiversByFinding, dismissalOf, type FindingFact, findingsAt } from './findings.ts';
import type { Population, PopulationQuery } from './population.ts';
import { resultCompleteness } from './results.ts';
import { distinctLeaves, earliest, known, latest, missing } from './row-values.ts';

/**
 * Findings on default branches. A finding is fixed once no scanner reports it there. If the last scan is older than
 * SCN-02 allows, it is unknown whether the finding is still open.
 */
export const population: Population<VulnerabilityRow> = {
  async *rows(tx, query) {
    const approved = await approvedWaiversByFinding(tx, query);
    const isFresh = await freshnessOf(tx, query);
    for await (const findings of findingsAt(tx, query, 'all')) {
      yield findings
        .map((finding) => ({ ...rowOf(query, finding, isFresh), waivers: approved.get(finding.id) ?? [] }))
        .filter(
          ({ fixedAt }) => fixedAt.state === 'missing' || fixedAt.value === null || fixedAt.value >= query.period.from,
        );
    }
  },
  completeness: async (tx, query) => [await resultCompleteness(tx, query)],
};

const day = 86_400_000;
const evaluatedAtOf = ({ period, asOf }: PopulationQuery): string => earliest(period.to, asOf.at);

type IsFresh = (repository: string, seenAt: string) => boolean;

/** Returns whether a scan is recent enough, by SCN-02, to confirm an open finding. */
async function freshnessOf(tx: Tx, query: PopulationQuery): Promise<IsFresh> {
  const { parameters } = controls['SCN-02'];
  const settings = (await settingsAtCheckpoint(tx, query, 'SCN-02')) as readonly SettingVersion<
    SettingOf<typeof parameters>
  >[];
  const evaluatedAt = Date.parse(evaluatedAtOf(query));
  const oldest = new Map<string, number>();
  return (repository, seenAt) => {
    const from =
      oldest.get(repository) ??
      evaluatedAt - settingAt(parameters, settings, evaluatedAt, repository).setting.freshness * day;
    oldest.set(repository, from);
    return Date.parse(seenAt) >= from;
  };
}

function rowOf(query: PopulationQuery, finding: FindingFact, isFresh: IsFresh): Omit<VulnerabilityRow, 'waivers'> {
  const { period } = query;
  const evaluatedAt = evaluatedAtOf(query);
  const { instances, severity } = finding;
  const unfixed = instances.filter(({ state }) => state !== 'fixed');
  const lastSeenAt = latest(
    ...(unfixed.length > 0 ? unfixed : instances).map((one) =>
      one.state === 'fixed' ? finding.firstSeenAt : one.lastSeenAt,
    ),
  );
  const name = severity === null ? undefined : severities[severity];
  return {
    subject: `finding:${finding.id}`,
    repository: finding.repository,
    leaf: finding.leaf,
    leaves: distinctLeaves([
      ...instances.flatMap(({ leaves }) => leaves),
      ...finding.decisions.map(({ leaf }) => leaf),
    ]),
    firstSeenAt: finding.firstSeenAt,
    periodFrom: period.from,
    evaluatedAt: evaluatedAt,
    severity: name === undefined ? missing : known(name),
    lastSeenAt: earliest(lastSeenAt, evaluatedAt),
    fixedAt:
      unfixed.length === 0
        ? known(latest(...instances.map(({ since }) => since)))
        : isFresh(finding.repository, lastSeenAt)
          ? known(null)
          : missing,
    dismissal: dismissalOf(finding),
  };
}
