import type { ProtectionRow, ProtectionSnapshot } from '@sightline/evidence/controls/change-rows.ts';
import type { Tx } from '#database/database.ts';
import { defaultsWithin } from './default-branches.ts';
import { type Enabled, enabledRepositories, isEnabledAt } from './enabled.ts';
import { known, missing, placesOf } from './known.ts';
import { heldAs, type Population, type PopulationQuery, untilOf } from './population.ts';

/**
 * Of each repository the default branch, and others that were looked at, on every day that it was enabled for all of. On a day on which
 * another branch became the default one, both are it: neither may go unprotected by the change.
 */
export const population: Population<ProtectionRow> = {
  async *rows(tx, asked) {
    const [repositories, days] = [await enabledRepositories(tx, asked), daysOf(asked)];
    for (let at = 0; at < repositories.length; at += batch) {
      const some = repositories.slice(at, at + batch);
      const snapshots = await snapshotsOf(tx, asked, some);
      for (const one of some) yield* rowsOf(one, days, snapshots.get(one.repository) ?? new Map());
    }
  },
  async completeness(tx, asked) {
    const repositories = (await enabledRepositories(tx, asked)).filter((one) =>
      daysOf(asked).some((day) => isEnabledAllOf(one, day)),
    );
    const found = await snapshotsFor(tx, asked, repositories);
    return [{ source: 'protection', expected: repositories.length, found }];
  },
};

const batch = 10;
const dayLength = 86_400_000;

/** The days of the period that were over, by their first moments. */
function daysOf(asked: PopulationQuery): string[] {
  const until = Date.parse(untilOf(asked));
  const days: string[] = [];
  for (let at = Date.parse(asked.period.from); at + dayLength <= until; at += dayLength)
    days.push(new Date(at).toISOString());
  return days;
}

const endOf = (day: string): string => new Date(Date.parse(day) + dayLength).toISOString();

const isEnabledAllOf = (one: Enabled, day: string): boolean =>
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
  repositories: readonly Enabled[],
): Promise<ReadonlyMap<string, ByBranch>> {
  const rows = await tx.query<{ repository: string; branch: string; at: Date; rules: Rules; leaf: number | null }>({
    name: 'population.chg-04',
    // A snapshot speaks for a day at most, so that of those before the period only the last day's can matter.
    text: `select p.repository_id as repository, p.branch, p.captured_at as at, p.rules, held.leaf
           from protection_snapshot p ${heldAs('held', { fact: 'p', epoch: '$2', size: '$3' })}
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
    const taken = { at: at.toISOString(), leaf, snapshot: { capturedAt: at.toISOString(), ...points } };
    const all = branches.get(branch);
    if (all) all.push(taken);
    else branches.set(branch, [taken]);
  }
  return found;
}

async function snapshotsFor(
  tx: Tx,
  { orgId, period, asOf }: PopulationQuery,
  repositories: readonly Enabled[],
): Promise<number> {
  const [row] = await tx.query<{ found: number }>({
    name: 'population.chg-04-found',
    text: `select count(*)::int as found from unnest($4::uuid[]) as w(id) where exists (
             select from protection_snapshot p ${heldAs('held', { fact: 'p', epoch: '$2', size: '$3' })}
             where p.org_id = $1 and p.repository_id = w.id
               and p.captured_at >= $5::timestamptz - interval '1 day' and p.captured_at < $6::timestamptz)`,
    values: [orgId, asOf.epoch, asOf.size, repositories.map(({ repository }) => repository), period.from, period.to],
  });
  return row?.found ?? 0;
}

function* rowsOf(one: Enabled, days: readonly string[], taken: ByBranch): Generator<ProtectionRow[]> {
  const { repository, defaultBranches } = one;
  const enabled = days
    .filter((day) => isEnabledAllOf(one, day))
    .map((start) => ({ start, defaults: defaultsWithin(defaultBranches, start, endOf(start)) }));
  for (const branch of new Set([...enabled.flatMap(({ defaults }) => defaults), ...taken.keys()])) {
    const all = taken.get(branch) ?? [];
    const belongs = enabled.filter(({ defaults }) => taken.has(branch) || defaults.includes(branch));
    yield belongs.map(({ start, defaults }) => {
      const until = endOf(start);
      const before = all.findLast(({ at }) => at < start);
      const held = [...(before ? [before] : []), ...all.filter(({ at }) => start <= at && at < until)];
      return {
        subject: `branch:${repository}:${start.slice(0, 10)}:${branch}`,
        repository,
        leaf: null,
        leaves: placesOf(held.map(({ leaf }) => leaf)),
        waivers: [],
        branch,
        isDefaultBranch: defaults.includes(branch),
        day: start.slice(0, 10),
        snapshots: held.length === 0 ? missing : known(held.map(({ snapshot }) => snapshot)),
      };
    });
  }
}
