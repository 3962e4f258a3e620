import { independentCount } from '@sightline/evidence/controls/completeness.ts';
import { type RecordedWeek, recordedWeeks } from '@sightline/evidence/controls/enabled-spans.ts';
import type { FreshnessRow, ScanRun } from '@sightline/evidence/controls/rows.ts';
import { entryJoinSql, entryOrLegacyJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import {
  type DefaultBranches,
  defaultBranchesOf,
  defaultBranchJoinSql,
  defaultBranchSpansJson,
} from './default-branches.ts';
import { type EnabledRepository, enabledRepositories, leavesOfSpans } from './enabled-repositories.ts';
import { endOfFacts, type Population, type PopulationQuery } from './population.ts';
import { distinctLeaves, known } from './row-values.ts';
import { loadScannerStates, type ScannerStates } from './scanners.ts';

/**
 * Runs count on the branch that was the default when they ended.
 */
export const population: Population<FreshnessRow> = {
  async *rows(tx, query) {
    const enabled = await enabledRepositories(tx, query);
    const scanners = await loadScannerStates(tx, query);
    const branches = await defaultBranchesOf(tx, query);
    const range = { from: query.period.from, end: endOfFacts(query) };
    for (let at = 0; at < enabled.length; at += BATCH_SIZE) {
      const some = enabled.slice(at, at + BATCH_SIZE);
      const ids = some.map(({ repository }) => repository);
      const runs = await runsOf(tx, query, ids, branches);
      for (const one of some) {
        const facts = { runs: runs.get(one.repository) ?? [], scanners };
        yield recordedWeeks(one.spans, range).map((week) => rowOf(one, week, facts));
      }
    }
  },
  async completeness(tx, query) {
    const repositories = (await enabledRepositories(tx, query)).length;
    const [enabledNow] = await tx.query<{ count: number }>({
      name: 'population.scn-02-tracked',
      text: `select count(*)::int as count from repository r where r.org_id = $1 and r.tracked and r.removed_at is null
               and exists (select from audit_event a ${entryJoinSql('entry', { fact: 'a', entry: 'id', epoch: '$2', size: '$3' })}
                 where a.org_id = $1 and a.subject_kind = 'repository' and a.subject_id = r.id::text and a.action = 'repository.enabled')`,
      values: [query.orgId, query.asOf.epoch, query.asOf.size],
    });
    return [
      independentCount('scans', { expected: Math.max(repositories, enabledNow?.count ?? 0), found: repositories }),
    ];
  },
};

const BATCH_SIZE = 200;
const day = 86_400_000;

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
      text: `select s.repository_id as repository, s.commit_sha as sha, s.finished_at as at, s.state, entry.leaf::int
           from scan s ${defaultBranchJoinSql('d', { spans: '$7', repository: 's.repository_id', at: 's.finished_at' })} and s.ref = 'refs/heads/' || d.name
           ${entryOrLegacyJoinSql('entry', { fact: 's', epoch: '$2', size: '$3' })}
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

function rowOf(
  { repository, spans }: EnabledRepository,
  { start, until, enabledAt, disabled }: RecordedWeek,
  { runs, scanners }: { runs: readonly EntryScanRun[]; scanners: ScannerStates },
): FreshnessRow {
  const near = runs.filter(
    ({ finishedAt }) => finishedAt <= until && Date.parse(finishedAt) >= Date.parse(until) - 31 * day,
  );
  return {
    subject: `repository:${repository}:${start.slice(0, 10)}`,
    repository,
    leaf: null,
    leaves: distinctLeaves([...leavesOfSpans(spans), ...near.map(({ leaf }) => leaf)]),
    waivers: [],
    weekStart: start,
    weekEnd: until,
    enabledAt,
    disabled,
    integration: scanners.at(repository, until),
    scans: known(near.map(({ sha, finishedAt, state }) => ({ sha, finishedAt, state }))),
  };
}
