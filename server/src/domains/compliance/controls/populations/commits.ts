import type { Tx } from '#database/database.ts';
import { entryByIdJoinSql } from './ledger-entry-joins.ts';
import type { PopulationQuery } from './population.ts';

/** An hour in which a person committed: its start (UTC), the first and last commit, and the entry of the first. */
export interface CommitHour {
  hour: string;
  first: string;
  last: string;
  leaf: number | null;
}

/** The hours with commits in the period, by person. */
export async function commitHoursByPerson(
  tx: Tx,
  { orgId, period, asOf }: PopulationQuery,
): Promise<Map<string, CommitHour[]>> {
  const parts = `format('["commit","%s","%s"]', c.repository_id, c.sha)`;
  const rows = await tx.query<{ person: string; hour: Date; first: Date; last: Date; leaf: number | null }>({
    name: 'population.commit-hours',
    text: `select c.author_person as person, date_trunc('hour', c.committed_at) as hour, min(entry.leaf)::int as leaf,
             min(c.committed_at) as first, max(c.committed_at) as last
           from repository r
           join commit c on c.org_id = r.org_id and c.repository_id = r.id and c.committed_at >= $4 and c.committed_at < $5
           ${entryByIdJoinSql('entry', { org: 'c.org_id', parts, epoch: '$2', size: '$3' })}
           where r.org_id = $1 group by 1, 2 order by 1, 2`,
    values: [orgId, asOf.epoch, asOf.size, period.from, period.to],
  });
  const commits = new Map<string, CommitHour[]>();
  for (const { person, hour, first, last, leaf } of rows) {
    const one = { hour: hour.toISOString(), first: first.toISOString(), last: last.toISOString(), leaf };
    commits.set(person, [...(commits.get(person) ?? []), one]);
  }
  return commits;
}
