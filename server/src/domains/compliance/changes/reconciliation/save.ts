import type { Tx } from '#database/database.ts';
import type { Reconciliation } from './reconcile.ts';
import type { ChangeWork } from './work.ts';

/** Replaces the stored reconciliation of a change. Joins of sessions that expired remain. */
export async function saveReconciliation(
  tx: Tx,
  orgId: string,
  { changeId, repositoryId, mergedAt, authors }: ChangeWork,
  { sessions, statuses }: Reconciliation,
): Promise<void> {
  await tx.query({
    name: 'changes.save-joins',
    text: `with now as (
             select * from jsonb_to_recordset($3::jsonb)
               as n(session uuid, agent text, person uuid, joins text[], confidence text, models text[], cost float8, first timestamptz, last timestamptz)
           ), gone as (
             delete from agent_join j where j.org_id = $1 and j.change_id = $2 and j.session_id not in (select session from now)
               and exists (select from agent_session s where s.org_id = $1 and s.id = j.session_id)
           )
           insert into agent_join (org_id, change_id, session_id, agent, person_id, joins, confidence, models, cost, first_at, last_at)
           select $1, $2, session, agent, person, joins, confidence, models, cost, first, last from now
           on conflict (org_id, change_id, session_id) do update set agent = excluded.agent, person_id = excluded.person_id,
             joins = excluded.joins, confidence = excluded.confidence, models = excluded.models, cost = excluded.cost,
             first_at = excluded.first_at, last_at = excluded.last_at`,
    values: [
      orgId,
      changeId,
      JSON.stringify(
        sessions.map(({ session, agent, joins, confidence }) => ({
          session: session.id,
          agent,
          person: session.person,
          joins,
          confidence,
          models: session.models,
          cost: session.cost,
          first: session.firstAt,
          last: session.lastAt,
        })),
      ),
    ],
  });
  const observed = sessions.filter(({ confidence }) => confidence !== 'low');
  await tx.query({
    name: 'changes.save-reconciled',
    text: `with now as (
             select * from jsonb_to_recordset($5::jsonb) as n(agent text, status text, missing text, models text[], persons uuid[])
           ), gone as (
             delete from reconciled_agent r where r.org_id = $1 and r.change_id = $2 and r.agent not in (select agent from now)
           )
           insert into reconciled_agent (org_id, change_id, agent, repository_id, merged_at, status, missing, models, persons)
           select $1, $2, n.agent, $3, $4, n.status, n.missing,
             array(select distinct m from (
               select unnest(n.models) as m
               union select model from ai_attribution a where a.org_id = $1 and a.change_id = $2 and a.agent = n.agent and a.model is not null
             ) all_models order by m), n.persons
           from now n
           on conflict (org_id, change_id, agent) do update set merged_at = excluded.merged_at, status = excluded.status,
             missing = excluded.missing, models = excluded.models, persons = excluded.persons`,
    values: [
      orgId,
      changeId,
      repositoryId,
      mergedAt,
      JSON.stringify(
        statuses.map(({ agent, status, missing }) => {
          const own = observed.filter((one) => one.agent === agent);
          return {
            agent,
            status,
            missing,
            models: [...new Set(own.flatMap(({ session }) => session.models))],
            persons: [...new Set([...authors, ...own.flatMap(({ session }) => session.person ?? [])])],
          };
        }),
      ),
    ],
  });
}
