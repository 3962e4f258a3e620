import type { ProtectionRow, ProtectionSnapshot } from '@sightline/evidence/controls/change-rows.ts';
import { independentCount } from '@sightline/evidence/controls/completeness.ts';
import { type RecordedDay, recordedDays } from '@sightline/evidence/controls/enabled-spans.ts';
import { PROTECTION_VALID_MINUTES } from '@sightline/evidence/controls/protection-polling.ts';
import { entryJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import { defaultBranchesWithin } from './default-branches.ts';
import { type EnabledRepository, enabledRepositories, leavesOfSpans } from './enabled-repositories.ts';
import { endOfFacts, type Population, type PopulationQuery } from './population.ts';
import { distinctLeaves, known, missing } from './row-values.ts';

/**
 * The default branch of each repository and other observed branches, for each day on which the repository has to be
 * recorded. On a day of a rename, both branches count as default, so that both must be protected.
 */
export const population: Population<ProtectionRow> = {
  async *rows(tx, query) {
    const repositories = await enabledRepositories(tx, query);
    for (let at = 0; at < repositories.length; at += REPOSITORIES_PER_BATCH) {
      const some = repositories.slice(at, at + REPOSITORIES_PER_BATCH);
      const snapshots = await snapshotsOf(tx, query, some);
      for (const one of some) yield* rowsOf(one, daysOf(query, one), snapshots.get(one.repository) ?? new Map());
    }
  },
  async completeness(tx, query) {
    const repositories = (await enabledRepositories(tx, query)).filter((one) => daysOf(query, one).length > 0);
    const found = await snapshotsFor(tx, query, repositories);
    return [independentCount('protection', { expected: repositories.length, found })];
  },
};

const REPOSITORIES_PER_BATCH = 10;
const DAY_MS = 86_400_000;
const validitySql = `make_interval(mins => ${PROTECTION_VALID_MINUTES})`;

const daysOf = (query: PopulationQuery, { spans }: EnabledRepository): readonly RecordedDay[] =>
  recordedDays(spans, { from: query.period.from, end: endOfFacts(query) });

const startOf = (day: string): string => `${day}T00:00:00.000Z`;
const endOf = (day: string): string => new Date(Date.parse(startOf(day)) + DAY_MS).toISOString();

interface SnapshotFact {
  at: string;
  leaf: number | null;
  snapshot: ProtectionSnapshot;
}
/** Snapshots of earlier releases contain no number of required checks. */
const unknownChecks = { requiredCheckCount: missing, unboundChecks: missing };
type Rules = Omit<ProtectionSnapshot, 'capturedAt'> & {
  requiredChecks: unknown;
  requiredApps: unknown;
  protectsTags?: unknown;
};
type ByBranch = ReadonlyMap<string, readonly SnapshotFact[]>;

async function snapshotsOf(
  tx: Tx,
  { orgId, period, asOf }: PopulationQuery,
  repositories: readonly EnabledRepository[],
): Promise<ReadonlyMap<string, ByBranch>> {
  const rows = await tx.query<{ repository: string; branch: string; at: Date; rules: Rules; leaf: number | null }>({
    name: 'population.chg-04',
    // Of earlier snapshots, only those that are still valid at the start of the period matter.
    text: `select p.repository_id as repository, p.branch, p.captured_at as at, p.rules, entry.leaf
           from protection_snapshot p ${entryJoinSql('entry', { fact: 'p', epoch: '$2', size: '$3' })}
           where p.org_id = $1 and p.repository_id = any($4::uuid[])
             and p.captured_at >= $5::timestamptz - ${validitySql} and p.captured_at < $6::timestamptz
           order by p.repository_id, p.branch, p.captured_at, p.id`,
    values: [orgId, asOf.epoch, asOf.size, repositories.map(({ repository }) => repository), period.from, period.to],
  });
  const found = new Map<string, Map<string, SnapshotFact[]>>();
  for (const { repository, branch, at, rules, leaf } of rows) {
    const branches = found.get(repository) ?? new Map<string, SnapshotFact[]>();
    found.set(repository, branches);
    const { requiredChecks: _, requiredApps: __, protectsTags: ___, ...points } = rules;
    const fact = {
      at: at.toISOString(),
      leaf,
      snapshot: { capturedAt: at.toISOString(), ...unknownChecks, ...points },
    };
    const all = branches.get(branch);
    if (all) all.push(fact);
    else branches.set(branch, [fact]);
  }
  return found;
}

async function snapshotsFor(
  tx: Tx,
  { orgId, period, asOf }: PopulationQuery,
  repositories: readonly EnabledRepository[],
): Promise<number> {
  const [row] = await tx.query<{ found: number }>({
    name: 'population.chg-04-found',
    text: `select count(*)::int as found from unnest($4::uuid[]) as w(id) where exists (
             select from protection_snapshot p ${entryJoinSql('entry', { fact: 'p', epoch: '$2', size: '$3' })}
             where p.org_id = $1 and p.repository_id = w.id
               and p.captured_at >= $5::timestamptz - ${validitySql} and p.captured_at < $6::timestamptz)`,
    values: [orgId, asOf.epoch, asOf.size, repositories.map(({ repository }) => repository), period.from, period.to],
  });
  return row?.found ?? 0;
}

function* rowsOf(
  { repository, defaultBranches, spans }: EnabledRepository,
  recorded: readonly RecordedDay[],
  snapshots: ByBranch,
): Generator<ProtectionRow[]> {
  const days = recorded.map((one) => ({
    ...one,
    defaults: defaultBranchesWithin(defaultBranches, startOf(one.day), endOf(one.day)),
  }));
  const switches = leavesOfSpans(spans);
  for (const branch of new Set([...days.flatMap(({ defaults }) => defaults), ...snapshots.keys()])) {
    const all = snapshots.get(branch) ?? [];
    const applicableDays = days.filter(({ defaults }) => snapshots.has(branch) || defaults.includes(branch));
    yield applicableDays.map(({ day, until, disabled, defaults }) => {
      const start = startOf(day);
      const before = all.findLast(({ at }) => at < start);
      const relevant = [...(before ? [before] : []), ...all.filter(({ at }) => start <= at && at < until)];
      const isWhole = disabled.length === 0 && until === endOf(day);
      return {
        subject: `branch:${repository}:${day}:${branch}`,
        repository,
        leaf: null,
        leaves: distinctLeaves([...relevant.map(({ leaf }) => leaf), ...(isWhole ? [] : switches)]),
        waivers: [],
        branch,
        isDefaultBranch: defaults.includes(branch),
        day,
        until,
        disabled,
        snapshots: relevant.length === 0 ? missing : known(relevant.map(({ snapshot }) => snapshot)),
      };
    });
  }
}
