import { type Completeness, independentCount } from '@sightline/evidence/controls/completeness.ts';
import { entryOrLegacyJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import { defaultBranchesOf, defaultBranchJoinSql, defaultBranchSpansJson } from './default-branches.ts';
import type { PopulationQuery } from './population.ts';

/**
 * Counts the results that scanners delivered for default branches in the period, and those from which findings were
 * recorded. A result that could not be read may be a finding that is missing.
 */
export async function resultCompleteness(tx: Tx, query: PopulationQuery): Promise<Completeness> {
  const { orgId, period, asOf } = query;
  const [row] = await tx.query<{ expected: number; found: number }>({
    name: 'population.results-delivered',
    text: `select coalesce(sum(s.received + s.rejections), 0)::int as expected, coalesce(sum(s.received), 0)::int as found
           from scan s ${defaultBranchJoinSql('d', { spans: '$6', repository: 's.repository_id', at: 's.finished_at' })} and s.ref = 'refs/heads/' || d.name
           ${entryOrLegacyJoinSql('entry', { fact: 's', epoch: '$2', size: '$3' })}
           where s.org_id = $1 and s.state = 'done' and s.finished_at >= $4 and s.finished_at < $5`,
    values: [
      ...[orgId, asOf.epoch, asOf.size, period.from, period.to],
      defaultBranchSpansJson(await defaultBranchesOf(tx, query)),
    ],
  });
  return independentCount('findings', row ?? { expected: 0, found: 0 });
}
