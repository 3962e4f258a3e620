import { type Completeness, independentCount } from '@sightline/evidence/controls/completeness.ts';
import { entryJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import { defaultBranchAt } from './default-branches.ts';
import { enabledRepositories } from './enabled-repositories.ts';
import { endOfFacts, type PopulationQuery } from './population.ts';
import { earliest } from './row-values.ts';

/** Hours after the last report of a host in which pushes may be missing unnoticed. */
const MAX_SILENCE_HOURS = 48;

/**
 * Counts the expected pushes and those with all commits: each push must start where another ended. Unknown if a host
 * did not report a repository near the end, or before it was disabled for good, although it reports branch protection
 * hourly.
 */
export async function pushCompleteness(tx: Tx, query: PopulationQuery): Promise<Completeness> {
  const { orgId, period, asOf } = query;
  const [row] = await tx.query<{ expected: number; found: number }>({
    name: 'population.pushes-accounted',
    text: `select count(*)::int as expected, count(*) filter (where b.completeness = 'complete')::int as found
           from branch_push b ${entryJoinSql('entry', { fact: 'b', epoch: '$4', size: '$5' })}
           where b.org_id = $1 and b.pushed_at >= $2 and b.pushed_at < $3 and b.completeness <> 'recovered' and not exists (
             select from branch_push n ${entryJoinSql('later', { fact: 'n', epoch: '$4', size: '$5' })}
             where n.org_id = b.org_id and n.id = b.id and n.version > b.version)`,
    values: [orgId, period.from, period.to, asOf.epoch, asOf.size],
  });
  const { expected = 0, found = 0 } = row ?? {};
  return independentCount('pushes', { expected: (await isReported(tx, query)) ? expected : null, found });
}

async function isReported(tx: Tx, query: PopulationQuery): Promise<boolean> {
  const { orgId, asOf } = query;
  const end = endOfFacts(query);
  const needed = (await enabledRepositories(tx, query)).map(({ repository, defaultBranches, spans }) => {
    const disabledAt = spans.at(-1)?.to ?? end;
    const until = earliest(disabledAt, end);
    return { repository, until, branch: defaultBranchAt(defaultBranches, until) ?? '' };
  });
  if (needed.length === 0) return true;
  const reported = await tx.query<{ id: string }>({
    name: 'population.reported-repositories',
    text: `select w.id from unnest($2::uuid[], $6::text[], $7::timestamptz[]) as w(id, branch, until) cross join lateral (
             select p.captured_at from protection_snapshot p ${entryJoinSql('entry', { fact: 'p', epoch: '$3', size: '$4' })}
             where p.org_id = $1 and p.repository_id = w.id and p.branch = w.branch
               and p.captured_at between w.until - make_interval(hours => $5) and w.until
             order by p.captured_at desc limit 1
           ) s`,
    values: [
      ...[orgId, needed.map(({ repository }) => repository), asOf.epoch, asOf.size],
      MAX_SILENCE_HOURS,
      needed.map(({ branch }) => branch),
      needed.map(({ until }) => until),
    ],
  });
  return reported.length === needed.length;
}

/** Counts the pull requests whose commits reached branches, and those with a record. */
export async function mergeCompleteness(tx: Tx, { orgId, period, asOf }: PopulationQuery): Promise<Completeness> {
  const [row] = await tx.query<{ expected: number; found: number }>({
    name: 'population.merges-accounted',
    text: `with brought as (
             select distinct c.repository_id, c.number
             from branch_push b join reached_commit c on c.org_id = b.org_id and c.push_id = b.id
             ${entryJoinSql('entry', { fact: 'c', epoch: '$4', size: '$5' })}
             where b.org_id = $1 and b.pushed_at >= $2 and b.pushed_at < $3 and b.version = 1 and c.number is not null
           )
           select count(*)::int as expected, count(*) filter (where recorded.is_there)::int as found
           from brought cross join lateral (
             select exists (
               select from change_record r ${entryJoinSql('other', { fact: 'r', epoch: '$4', size: '$5' })}
               where r.org_id = $1 and r.repository_id = brought.repository_id and r.number = brought.number
             ) as is_there
           ) recorded`,
    values: [orgId, period.from, period.to, asOf.epoch, asOf.size],
  });
  return independentCount('pull_requests', row ?? { expected: 0, found: 0 });
}
