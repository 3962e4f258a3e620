import type { FindingStatus } from '@sightline/contract/vulnerabilities/findings.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { seesAllRepositories, visibleRepositories } from '../../organization/repository-access/queries.ts';
import { lockFindingsOf } from '../findings/status.ts';

/** The fields of a finding that a decision needs. */
export interface TriageTarget {
  id: string;
  repositoryId: string;
  repository: string;
  title: string;
  category: string;
  status: FindingStatus;
  decided: string | null;
  /** Every scanner that still reports the finding suppresses it. */
  suppressed: boolean;
  exception: { id: string; state: 'requested' | 'approved'; until: Date } | null;
}

/**
 * Returns the findings that the actor may decide about, by ID, and locks them until the end of the transaction.
 * Findings outside the actor's scope are omitted, so that their existence is not disclosed.
 */
export async function lockTargets(tx: Tx, actor: Actor, ids: readonly string[]): Promise<Map<string, TriageTarget>> {
  await lockFindingsOf(tx, actor.orgId, ids);
  const rows = await tx.db
    .selectFrom('finding as f')
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'f.org_id').onRef('r.id', '=', 'f.repository_id'),
    )
    .innerJoin('finding_title as t', (join) => join.onRef('t.org_id', '=', 'f.org_id').onRef('t.id', '=', 'f.title_id'))
    .leftJoin('finding_waiver as e', (join) =>
      join
        .onRef('e.org_id', '=', 'f.org_id')
        .onRef('e.finding_id', '=', 'f.id')
        .on('e.state', 'in', ['requested', 'approved']),
    )
    .where('f.org_id', '=', actor.orgId)
    .where('f.id', 'in', [...ids])
    .$if(actor.reach('write:findings') === 'own' || !seesAllRepositories(actor), (query) =>
      query.where('f.repository_id', 'in', visibleRepositories(tx, actor).select('repository.id')),
    )
    .select(['f.id', 'f.repository_id', 'r.full_name', 't.title', 'f.category', 'f.status', 'f.decided'])
    .select(['e.id as waiver_id', 'e.state as exception_state', 'e.until'])
    .select(suppressed.as('suppressed'))
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        repositoryId: row.repository_id,
        repository: row.full_name,
        title: row.title,
        category: row.category,
        status: row.status as FindingStatus,
        decided: row.decided,
        suppressed: row.suppressed,
        exception:
          row.waiver_id === null || row.until === null
            ? null
            : { id: row.waiver_id, state: row.exception_state as 'requested' | 'approved', until: row.until },
      },
    ]),
  );
}

const suppressed = sql<boolean>`coalesce((
  select bool_or(i.state = 'suppressed') and not bool_or(i.state = 'open') from finding_instance i
  where i.org_id = f.org_id and i.finding_id = f.id), false)`;
