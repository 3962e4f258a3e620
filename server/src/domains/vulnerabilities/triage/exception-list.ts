import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { Provider } from '@sightline/contract/core/providers.ts';
import { severities } from '@sightline/contract/core/severities.ts';
import type { FindingStatus, FindingWaiverState } from '@sightline/contract/vulnerabilities/findings.ts';
import type { FindingWaiverListItem, FindingWaiversQuery } from '@sightline/contract/vulnerabilities/triage.ts';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';
import { seesAllRepositories, visibleRepositories } from '../../organization/repository-access/queries.ts';
import { selectWaivers, toWaiver } from './queries.ts';

/** Exceptions of the repositories the asking person sees, one page of them. */
export async function listExceptions(
  tx: Tx,
  actor: Actor,
  query: FindingWaiversQuery,
): Promise<Page<FindingWaiverListItem[]>> {
  const { orgId } = actor;
  const states: readonly FindingWaiverState[] = query.state.length === 0 ? ['requested'] : query.state;
  const [column, direction] = sorts[query.sort];
  const found = await fetchPage(
    selectWaivers(tx, orgId)
      .innerJoin('finding as f', (join) => join.onRef('f.org_id', '=', 'e.org_id').onRef('f.id', '=', 'e.finding_id'))
      .innerJoin('repository as r', (join) =>
        join.onRef('r.org_id', '=', 'f.org_id').onRef('r.id', '=', 'f.repository_id'),
      )
      .innerJoin('finding_title as t', (join) =>
        join.onRef('t.org_id', '=', 'f.org_id').onRef('t.id', '=', 'f.title_id'),
      )
      .where('e.state', 'in', [...states])
      .$if(actor.reach('read:vulnerabilities') === 'own' || !seesAllRepositories(actor), (q) =>
        q.where('f.repository_id', 'in', visibleRepositories(tx, actor).select('repository.id')),
      )
      .$if(query.search !== '', (q) =>
        q.where((eb) =>
          eb.or([containsText(eb.ref('t.title'), query.search), containsText(eb.ref('r.full_name'), query.search)]),
        ),
      )
      .select(['e.decided_comment', 'f.id as finding_id', 't.title', 'f.severity', 'f.status'])
      .select(['r.id as repository_id', 'r.full_name', 'r.provider'])
      .orderBy(column, direction)
      .orderBy('e.id', direction),
    query,
  );
  const rows = found.rows.map((row): FindingWaiverListItem => {
    const own = row.requested_by === actor.accountId;
    const waits = row.state === 'requested' && !actor.archived;
    const repository = { id: row.repository_id, fullName: row.full_name, provider: row.provider as Provider };
    return {
      ...toWaiver(row),
      decision: row.decided_comment,
      finding: {
        id: row.finding_id,
        title: row.title,
        severity: severities[row.severity] ?? 'info',
        status: row.status as FindingStatus,
        repository,
      },
      allowed: {
        decide: waits && !own && actor.reach('approve:exceptions') !== undefined,
        withdraw: waits && own && actor.reach('write:findings') !== undefined,
      },
    };
  });
  return { total: found.total, rows };
}

const sorts = {
  'requested-asc': ['e.requested_at', 'asc'],
  'requested-desc': ['e.requested_at', 'desc'],
  'until-asc': ['e.until', 'asc'],
  'until-desc': ['e.until', 'desc'],
} as const;
