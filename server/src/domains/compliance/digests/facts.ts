import type { Tx } from '#database/database.ts';

/** The facts of a week in a repository, besides verdicts. */
export interface WeekCounts {
  newCommitters: number;
  protectionChanges: number;
  newTools: number;
  seriousFindings: number;
  waivers: number;
}

/** Days before its end in which a waiver is listed. */
const endsWithinDays = 7;

/** Returns the current facts of a repository from `from` up to `to`. */
export async function weekCountsOf(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  { from, to }: { from: string; to: string },
): Promise<WeekCounts> {
  const [row] = await tx.query<WeekCounts>({
    name: 'digests.facts',
    text: factsSql,
    values: [orgId, repositoryId, from, to, endsWithinDays],
  });
  if (!row) throw new Error('The count query returned no row');
  return row;
}

// Severities count from the worst: 0 critical, 1 high.
const factsSql = `
  with committers as (
    select distinct author_person as person from commit
    where org_id = $1 and repository_id = $2 and committed_at >= $3 and committed_at < $4
  )
  select
    (select count(*)::int from committers w where not exists (
       select from commit c where c.org_id = $1 and c.repository_id = $2 and c.committed_at < $3 and c.author_person = w.person
     )) as "newCommitters",
    (select count(*)::int from protection_snapshot p
     where p.org_id = $1 and p.repository_id = $2 and p.captured_at >= $3 and p.captured_at < $4 and p.same_as is null and exists (
       select from protection_snapshot e
       where e.org_id = $1 and e.repository_id = $2 and e.branch = p.branch and e.captured_at < p.captured_at
     )) as "protectionChanges",
    (select count(*)::int from tool_repository
     where org_id = $1 and repository_id = $2 and first_seen >= $3 and first_seen < $4) as "newTools",
    (select count(*)::int from finding
     where org_id = $1 and repository_id = $2 and discovered_at >= $3 and discovered_at < $4
       and severity <= 1) as "seriousFindings",
    (select count(*)::int from finding_waiver x
     join finding f on f.org_id = x.org_id and f.id = x.finding_id and f.repository_id = $2
     where x.org_id = $1 and (
       (x.requested_at >= $3 and x.requested_at < $4) or (x.decided_at >= $3 and x.decided_at < $4)
       or (x.valid_until >= $4 and x.valid_until < $4::timestamptz + make_interval(days => $5::int) and x.state = 'approved')))
    + (select count(*)::int from control_waiver x
     where x.org_id = $1 and x.repository_id = $2 and (
       (x.requested_at >= $3 and x.requested_at < $4) or (x.decided_at >= $3 and x.decided_at < $4)
       or (x.valid_until >= $4 and x.valid_until < $4::timestamptz + make_interval(days => $5::int)
           and x.decision = 'approved'))) as waivers`;
