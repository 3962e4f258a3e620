import type { FreshnessRow, ScanRun } from '@sightline/evidence/controls/rows.ts';
import type { Tx } from '#database/database.ts';
import {
  type DefaultBranches,
  defaultBranchesOf,
  defaultBranchJoinSql,
  defaultBranchSpansJson,
} from './default-branches.ts';
import { distinctLeaves, earliest, known } from './known.ts';
import { entryJoinSql, type Population, type PopulationQuery } from './population.ts';
import { loadScannerStates, type ScannerStates } from './scanners.ts';
import { entryOrLegacyJoinSql } from './since.ts';

/**
 * Weeks begin on Monday in UTC, and belong to the period in which they end. Runs count on the branch that was the
 * default when they ended.
 */
export const population: Population<FreshnessRow> = {
  async *rows(tx, query) {
    const [weeks, enabled] = [weeksOf(query), await enabledOf(tx, query)];
    const scanners = await loadScannerStates(tx, query);
    const branches = await defaultBranchesOf(tx, query);
    const repositories = [...enabled.keys()];
    for (let at = 0; at < repositories.length; at += BATCH_SIZE) {
      const some = repositories.slice(at, at + BATCH_SIZE);
      const runs = await runsOf(tx, query, some, branches);
      for (const one of some) {
        const facts = { repository: one, changes: enabled.get(one) ?? [], runs: runs.get(one) ?? [], scanners };
        yield weeks.flatMap((week) => rowOf(week, facts) ?? []);
      }
    }
  },
  async completeness(tx, query) {
    const repositories = (await enabledOf(tx, query)).size;
    const [enabledNow] = await tx.query<{ count: number }>({
      name: 'population.scn-02-tracked',
      text: `select count(*)::int as count from repository r where r.org_id = $1 and r.tracked and r.removed_at is null
               and exists (select from audit_event a ${entryJoinSql('held', { fact: 'a', entry: 'id', epoch: '$2', size: '$3' })}
                 where a.org_id = $1 and a.subject_kind = 'repository' and a.subject_id = r.id::text and a.action = 'repository.enabled')`,
      values: [query.orgId, query.asOf.epoch, query.asOf.size],
    });
    return [{ source: 'scans', expected: Math.max(repositories, enabledNow?.count ?? 0), found: repositories }];
  },
};

const BATCH_SIZE = 200;
const day = 86_400_000;

/** The starts of the weeks that ended in the period and were over. */
function weeksOf({ period, asOf }: PopulationQuery): readonly { start: string; end: string }[] {
  const until = Date.parse(earliest(period.to, asOf.at));
  const weeks: { start: string; end: string }[] = [];
  // 1970 began on a Thursday.
  let end = Math.floor((Date.parse(period.from) - 4 * day) / (7 * day)) * 7 * day + 4 * day;
  for (; end <= until; end += 7 * day) {
    if (end > Date.parse(period.from)) {
      weeks.push({ start: new Date(end - 7 * day).toISOString(), end: new Date(end).toISOString() });
    }
  }
  return weeks;
}

interface EnabledChange {
  at: string;
  isEnabled: boolean;
  leaf: number | null;
}

/** The times when repositories were enabled and disabled, from the audit log. */
async function enabledOf(tx: Tx, { orgId, period, asOf }: PopulationQuery): Promise<Map<string, EnabledChange[]>> {
  const rows = await tx.query<{ repository: string; at: Date; action: string; leaf: number | null }>({
    name: 'population.scn-02-enabled',
    text: `select a.subject_id as repository, a.at, a.action, held.leaf::int
           from audit_event a ${entryJoinSql('held', { fact: 'a', entry: 'id', epoch: '$2', size: '$3' })}
           where a.org_id = $1 and a.action in ('repository.enabled', 'repository.disabled') and a.at < $4
           order by a.at, a.id`,
    values: [orgId, asOf.epoch, asOf.size, period.to],
  });
  const changes = new Map<string, EnabledChange[]>();
  for (const { repository, at, action, leaf } of rows) {
    const change = { at: at.toISOString(), isEnabled: action === 'repository.enabled', leaf };
    changes.set(repository, [...(changes.get(repository) ?? []), change]);
  }
  return changes;
}

interface EntryScanRun extends ScanRun {
  leaf: number | null;
}

async function runsOf(
  tx: Tx,
  { orgId, period, asOf }: PopulationQuery,
  repositories: readonly string[],
  branches: ReadonlyMap<string, DefaultBranches>,
): Promise<Map<string, EntryScanRun[]>> {
  const own = new Map(repositories.map((id) => [id, branches.get(id) ?? []]));
  const rows = await tx.query<{ repository: string; sha: string | null; at: Date; state: string; leaf: number | null }>(
    {
      name: 'population.scn-02-runs',
      text: `select s.repository_id as repository, s.commit_sha as sha, s.finished_at as at, s.state, held.leaf::int
           from scan s ${defaultBranchJoinSql('d', { spans: '$7', repository: 's.repository_id', at: 's.finished_at' })} and s.ref = 'refs/heads/' || d.name
           ${entryOrLegacyJoinSql('held', { fact: 's', epoch: '$2', size: '$3' })}
           where s.org_id = $1 and s.repository_id = any($4::uuid[]) and s.state in ('done', 'failed') and s.complete
             and s.finished_at >= $5::timestamptz - interval '38 days' and s.finished_at < $6::timestamptz
           order by s.finished_at, s.id`,
      values: [orgId, asOf.epoch, asOf.size, repositories, period.from, period.to, defaultBranchSpansJson(own)],
    },
  );
  const runs = new Map<string, EntryScanRun[]>();
  for (const { repository, sha, at, state, leaf } of rows) {
    const run: EntryScanRun = {
      sha: sha ?? '',
      finishedAt: at.toISOString(),
      state: state === 'done' ? 'ok' : 'failed',
      leaf,
    };
    runs.set(repository, [...(runs.get(repository) ?? []), run]);
  }
  return runs;
}

/** The item of a week; undefined if the repository was not enabled at its end. */
function rowOf(
  { start, end }: { start: string; end: string },
  {
    repository,
    changes,
    runs,
    scanners,
  }: { repository: string; changes: readonly EnabledChange[]; runs: readonly EntryScanRun[]; scanners: ScannerStates },
): FreshnessRow | undefined {
  const last = changes.findLast(({ at }) => at < end);
  if (!last?.isEnabled) return undefined;
  const near = runs.filter(
    ({ finishedAt }) => finishedAt <= end && Date.parse(finishedAt) >= Date.parse(end) - 31 * day,
  );
  return {
    subject: `repository:${repository}:${start.slice(0, 10)}`,
    repository,
    leaf: null,
    leaves: distinctLeaves([last.leaf, ...near.map(({ leaf }) => leaf)]),
    waivers: [],
    weekStart: start,
    weekEnd: end,
    enabledAt: last.at,
    integration: scanners.at(repository, end),
    scans: known(near.map(({ sha, finishedAt, state }) => ({ sha, finishedAt, state }))),
  };
}
