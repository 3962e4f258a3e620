import type { Tx } from '#database/database.ts';
import { type DefaultBranches, defaultBranchesOf } from './default-branches.ts';
import { entryJoinSql, type PopulationQuery } from './population.ts';

/**
 * A repository with the spans in which it was enabled, from the audit log. A repository that the host removed remains
 * enabled.
 */
export interface EnabledRepository {
  repository: string;
  defaultBranches: DefaultBranches;
  spans: readonly { from: string; to: string | null }[];
}

/** Returns every repository that was enabled before the end of the period. */
export async function enabledRepositories(tx: Tx, query: PopulationQuery): Promise<EnabledRepository[]> {
  const { orgId, period, asOf } = query;
  const names = await defaultBranchesOf(tx, query);
  const rows = await tx.query<{ repository: string; at: Date; isOn: boolean }>({
    name: 'population.enabled',
    text: `select r.id as repository, a.at, a.action = 'repository.enabled' as "isOn"
           from audit_event a ${entryJoinSql('held', { fact: 'a', entry: 'id', epoch: '$2', size: '$3' })}
           join repository r on r.org_id = a.org_id and r.id::text = a.subject_id
           where a.org_id = $1 and a.action in ('repository.enabled', 'repository.disabled') and a.at < $4
           order by r.id, a.at, a.id`,
    values: [orgId, asOf.epoch, asOf.size, period.to],
  });
  const found = new Map<string, EnabledRepository & { spans: { from: string; to: string | null }[] }>();
  for (const { repository, at, isOn } of rows) {
    const one = found.get(repository) ?? { repository, defaultBranches: names.get(repository) ?? [], spans: [] };
    found.set(repository, one);
    const last = one.spans.at(-1);
    if (isOn && last?.to !== null) one.spans.push({ from: at.toISOString(), to: null });
    if (!isOn && last?.to === null) last.to = at.toISOString();
  }
  return [...found.values()];
}

/** Whether a repository was enabled at a time. */
export const isEnabledAt = ({ spans }: EnabledRepository, at: string): boolean =>
  spans.some(({ from, to }) => from <= at && (to === null || at < to));
