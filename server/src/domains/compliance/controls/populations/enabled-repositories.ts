import { enabledKind } from '@sightline/evidence/bundle/repositories.ts';
import type { EnabledSpan } from '@sightline/evidence/controls/enabled-spans.ts';
import { entryJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import { type DefaultBranches, defaultBranchesOf } from './default-branches.ts';
import type { PopulationQuery } from './population.ts';

/** A time in which a repository was enabled, with the leaf indexes of its audit entries. */
export interface RecordedSpan extends EnabledSpan {
  fromLeaf: number | null;
  toLeaf: number | null;
}

/**
 * A repository with the spans in which it was enabled, from the audit log. A repository that the host removed remains
 * enabled.
 */
export interface EnabledRepository {
  repository: string;
  defaultBranches: DefaultBranches;
  spans: readonly RecordedSpan[];
}

/** Returns every repository that was enabled at any time in the period, with all its spans at the checkpoint. */
export async function enabledRepositories(tx: Tx, query: PopulationQuery): Promise<EnabledRepository[]> {
  const { orgId, period, asOf } = query;
  const names = await defaultBranchesOf(tx, query);
  const rows = await tx.query<{ repository: string; at: Date; isOn: boolean; leaf: number | null }>({
    name: 'population.enabled',
    // Later changes matter too: a repository that is enabled again was not disabled for good.
    text: `select r.id as repository, a.at, 'audit.' || a.action = $4 as "isOn", entry.leaf::int
           from audit_event a ${entryJoinSql('entry', { fact: 'a', entry: 'id', epoch: '$2', size: '$3' })}
           join repository r on r.org_id = a.org_id and r.id::text = a.subject_id
           where a.org_id = $1 and a.action in ('repository.enabled', 'repository.disabled')
           order by r.id, a.at, entry.leaf nulls first, a.id`,
    values: [orgId, asOf.epoch, asOf.size, enabledKind],
  });
  const found = new Map<string, EnabledRepository & { spans: RecordedSpan[] }>();
  for (const { repository, at, isOn, leaf } of rows) {
    const one = found.get(repository) ?? { repository, defaultBranches: names.get(repository) ?? [], spans: [] };
    found.set(repository, one);
    const last = one.spans.at(-1);
    const time = at.toISOString();
    if (isOn && last?.to !== null) one.spans.push({ from: time, fromLeaf: leaf, to: null, toLeaf: null });
    if (!isOn && last?.to === null) one.spans.splice(-1, 1, { ...last, to: time, toLeaf: leaf });
  }
  return [...found.values()].filter(({ spans }) => {
    const end = spans.at(-1)?.to ?? null;
    return (spans[0]?.from ?? period.to) < period.to && (end === null || end > period.from);
  });
}

/** The leaf indexes of the audit entries that enabled and disabled a repository. */
export const leavesOfSpans = (spans: readonly RecordedSpan[]): (number | null)[] =>
  spans.flatMap(({ fromLeaf, toLeaf }) => [fromLeaf, toLeaf]);
