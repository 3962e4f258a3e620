import type { ProtectionRow, ProtectionSnapshot } from '@sightline/evidence/controls/change-rows.ts';
import type { Tx } from '#database/database.ts';
import { defaultBranchesWithin } from './default-branches.ts';
import { type EnabledRepository, enabledRepositories, isEnabledAt } from './enabled.ts';
import { distinctLeaves, known, missing } from './known.ts';
import { endOfFacts, entryJoinSql, type Population, type PopulationQuery } from './population.ts';

/**
 * The default branch of each repository and other observed branches, for each day on which the repository was enabled
 * all day. On a day of a rename, both branches count as default, so that both must be protected.
 */
export const population: Population<ProtectionRow> = {
  async *rows(tx, query) {
    const [repositories, days] = [await enabledRepositories(tx, query), daysOf(query)];
    for (let at = 0; at < repositories.length; at += REPOSITORIES_PER_BATCH) {
      const some = repositories.slice(at, at + REPOSITORIES_PER_BATCH);
      const snapshots = await snapshotsOf(tx, query, some);
      for (const one of some) yield* rowsOf(one, days, snapshots.get(one.repository) ?? new Map());
    }
  },
  async completeness(tx, query) {
    const repositories = (await enabledRepositories(tx, query)).filter((one) =>
      daysOf(query).some((day) => isEnabledAllOf(one, day)),
    );
    const found = await snapshotsFor(tx, query, repositories);
    return [{ source: 'protection', expected: repositories.length, found }];
  },
};

const REPOSITORIES_PER_BATCH = 10;
const DAY_MS = 86_400_000;

/** The starts of the days in the period that are over. */
function daysOf(query: PopulationQuery): string[] {
  const until = Date.parse(endOfFacts(query));
  const days: string[] = [];
  for (let at = Date.parse(query.period.from); at + DAY_MS <= until; at += DAY_MS)
    days.push(new Date(at).toISOString());
  return days;
}

const endOf = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString();

const isEnabledAllOf = (one: EnabledRepository, day: string): boolean =>
  isEnabledAt(one, day) &&
  one.spans.every(({ from, to }) => !isWithin(from, day) && !(to !== null && isWithin(to, day)));

const isWithin = (at: string, day: string): boolean => day < at && at < endOf(day);

interface SnapshotFact {
  at: string;
  leaf: number | null;
  snapshot: ProtectionSnapshot;
}
type Rules = Omit<ProtectionSnapshot, 'capturedAt'> & { requiredChecks: unknown };
type ByBranch = ReadonlyMap<string, readonly SnapshotFact[]>;

async function snapshotsOf(
  tx: Tx,
  { orgId, period, asOf }: PopulationQuery,
  repositories: readonly EnabledRepository[],
): Promise<ReadonlyMap<string, ByBranch>> {
  const rows = await tx.query<{ repository: string; branch: string; at: Date; rules: Rules; leaf: number | null }>({
    name: 'population.chg-04',
    // A snapshot is valid for one day at most, so of earlier ones only the day before the period matters.
    text: `select p.repository_id as repository, p.branch, p.captured_at as at, p.rules, held.leaf
           from protection_snapshot p ${entryJoinSql('held', { fact: 'p', epoch: '$2', size: '$3' })}
           where p.org_id = $1 and p.repository_id = any($4::uuid[])
             and p.captured_at >= $5::timestamptz - interval '1 day' and p.captured_at < $6::timestamptz
           order by p.repository_id, p.branch, p.captured_at, p.id`,
    values: [orgId, asOf.epoch, asOf.size, repositories.map(({ repository }) => repository), period.from, period.to],
  });
  const found = new Map<string, Map<string, SnapshotFact[]>>();
  for (const { repository, branch, at, rules, leaf } of rows) {
    const branches = found.get(repository) ?? new Map<string, SnapshotFact[]>();
    found.set(repository, branches);
    const { requiredChecks: _, ...points } = rules;
    const fact = { at: at.toISOString(), leaf, snapshot: { capturedAt: at.toISOString(), ...points } };
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
             select from protection_snapshot p ${entryJoinSql('held', { fact: 'p', epoch: '$2', size: '$3' })}
             where p.org_id = $1 and p.repository_id = w.id
               and p.captured_at >= $5::timestamptz - interval '1 day' and p.captured_at < $6::timestamptz)`,
    values: [orgId, asOf.epoch, asOf.size, repositories.map(({ repository }) => repository), period.from, period.to],
  });
  return row?.found ?? 0;
}

function* rowsOf(one: EnabledRepository, days: readonly string[], snapshots: ByBranch): Generator<ProtectionRow[]> {
  const { repository, defaultBranches } = one;
  const enabled = days
    .filter((day) => isEnabledAllOf(one, day))
    .map((start) => ({ start, defaults: defaultBranchesWithin(defaultBranches, start, endOf(start)) }));
  for (const branch of new Set([...enabled.flatMap(({ defaults }) => defaults), ...snapshots.keys()])) {
    const all = snapshots.get(branch) ?? [];
    const applicableDays = enabled.filter(({ defaults }) => snapshots.has(branch) || defaults.includes(branch));
    yield applicableDays.map(({ start, defaults }) => {
      const until = endOf(start);
      const before = all.findLast(({ at }) => at < start);
      const relevant = [...(before ? [before] : []), ...all.filter(({ at }) => start <= at && at < until)];
      return {
        subject: `branch:${repository}:${start.slice(0, 10)}:${branch}`,
        repository,
        leaf: null,
        leaves: distinctLeaves(relevant.map(({ leaf }) => leaf)),
        waivers: [],
        branch,
        isDefaultBranch: defaults.includes(branch),
        day: start.slice(0, 10),
        snapshots: relevant.length === 0 ? missing : known(relevant.map(({ snapshot }) => snapshot)),
      };
    });
  }
}
