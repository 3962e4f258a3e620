import {
  type ChangeAgents,
  type getReconciliationFilters,
  type JoinConfidence,
  type ReconciledAgent,
  type ReconciledAgentsQuery,
  reconciliationStatuses,
  type SessionJoinName,
} from '@sightline/contract/compliance/agent-reconciliation.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import { parsePeriod } from '@sightline/contract/core/periods.ts';
import type { Provider } from '@sightline/contract/core/providers.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';
import { visibleRepositories } from '../../organization/repository-access/queries.ts';
import { type ChangeParts, displayOfPersons, isVisibleChange } from '../changes/queries.ts';
import { findPolicyResult } from './policy-result.ts';

/** The persons whose sessions a reader sees; undefined: of everyone. */
export const ownPersons = (actor: Actor): string[] | undefined =>
  actor.reach('read:events') === 'all' ? undefined : [actor.personId, ...actor.formerIds];

export type ReconciliationFilter = Partial<
  Pick<ReconciledAgentsQuery, 'status' | 'agent' | 'model' | 'person' | 'repository' | 'period' | 'search'>
>;

/** The reconciled agents that a reader sees: in visible repositories, and with the scope `own` those that name the reader. */
export function visibleAgents(tx: Tx, actor: Actor, filter: ReconciliationFilter) {
  const own = ownPersons(actor);
  const { status = [], agent = [], model = [], person = [], repository = [], search = '' } = filter;
  const period = filter.period === undefined ? undefined : parsePeriod(filter.period);
  return tx.db
    .selectFrom('reconciled_agent as a')
    .where('a.org_id', '=', actor.orgId)
    .where('a.repository_id', 'in', visibleRepositories(tx, actor).select('repository.id'))
    .$if(own !== undefined, (q) => q.where(sql<boolean>`a.persons && ${own}::uuid[]`))
    .$if(status.length > 0, (q) => q.where('a.status', 'in', status))
    .$if(agent.length > 0, (q) => q.where('a.agent', 'in', agent))
    .$if(model.length > 0, (q) => q.where(sql<boolean>`a.models && ${model}::text[]`))
    .$if(person.length > 0, (q) => q.where(sql<boolean>`a.persons && ${person}::uuid[]`))
    .$if(repository.length > 0, (q) => q.where('a.repository_id', 'in', repository))
    .$if(period !== undefined, (q) =>
      q.where('a.merged_at', '>=', new Date(period?.from ?? 0)).where('a.merged_at', '<', new Date(period?.to ?? 0)),
    )
    .$if(search !== '', (q) => q.where((eb) => eb.exists(titledSql(tx, search))));
}

const titledSql = (tx: Tx, search: string) =>
  tx.db
    .selectFrom('change_record as c')
    .innerJoin('pull_request as p', (join) =>
      join
        .onRef('p.org_id', '=', 'c.org_id')
        .onRef('p.repository_id', '=', 'c.repository_id')
        .onRef('p.number', '=', 'c.number'),
    )
    .whereRef('c.org_id', '=', 'a.org_id' as never)
    .whereRef('c.id', '=', 'a.change_id' as never)
    .where('c.version', '=', 1)
    .where(containsText(sql.ref('p.title'), search))
    .select('c.id');

/** Lists one page of the visible agents of changes. */
export async function listAgentsOfChanges(
  tx: Tx,
  actor: Actor,
  query: ReconciledAgentsQuery,
): Promise<Page<ReconciledAgent[]>> {
  const direction = query.sort === 'date-asc' ? 'asc' : 'desc';
  const { rows, total } = await fetchPage(
    visibleAgents(tx, actor, query)
      .select(['a.change_id', 'a.agent', 'a.status', 'a.missing', 'a.models', 'a.persons'])
      .orderBy('a.merged_at', direction)
      .orderBy('a.change_id', direction)
      .orderBy('a.agent', direction),
    query,
  );
  const ids = [...new Set(rows.map(({ change_id: id }) => id))];
  const changes = new Map((await changesOf(tx, actor.orgId, ids)).map((change) => [change.id, change]));
  const joins = await joinsOf(tx, actor, ids);
  const show = await displayOfPersons(
    tx,
    actor.orgId,
    rows.flatMap(({ persons }) => persons),
  );
  return {
    total,
    rows: rows.flatMap((row) => {
      const change = changes.get(row.change_id);
      const own = joins.filter(({ changeId, agent }) => changeId === row.change_id && agent === row.agent);
      return change === undefined
        ? []
        : [
            {
              change,
              agent: row.agent === '' ? null : row.agent,
              status: row.status as ReconciledAgent['status'],
              missing: row.missing as ReconciledAgent['missing'],
              models: row.models,
              people: row.persons.map(show),
              joins: [...new Set(own.flatMap((one) => one.joins))],
              confidence: confidences.find((one) => own.some(({ confidence }) => confidence === one)) ?? null,
              ...costsOf(own),
            },
          ];
    }),
  };
}

const confidences = ['high', 'medium', 'low'] as const satisfies JoinConfidence[];

interface Join extends Record<string, unknown> {
  changeId: string;
  id: string;
  agent: string;
  person: string | null;
  models: string[];
  joins: SessionJoinName[];
  confidence: JoinConfidence;
  cost: number | null;
  firstAt: Date;
  lastAt: Date;
  isStored: boolean;
}

/** The sessions of changes that the reader may see. */
const joinsOf = (tx: Tx, actor: Actor, changeIds: readonly string[]): Promise<Join[]> =>
  tx.query<Join>({
    name: 'reconciliation.joins',
    text: `select j.change_id as "changeId", j.session_id as id, j.agent, j.person_id as person, j.models, j.joins, j.confidence, j.cost,
             j.first_at as "firstAt", j.last_at as "lastAt",
             exists (select from agent_session s where s.org_id = $1 and s.id = j.session_id) as "isStored"
           from agent_join j where j.org_id = $1 and j.change_id = any($2::uuid[])
             and ($3::uuid[] is null or j.person_id = any($3::uuid[]))
           order by j.first_at, j.session_id`,
    values: [actor.orgId, changeIds, ownPersons(actor) ?? null],
  });

/** The sum over observed sessions. */
function costsOf(joins: readonly Pick<Join, 'confidence' | 'cost'>[]) {
  const observed = joins.filter(({ confidence }) => confidence !== 'low');
  const known = observed.flatMap(({ cost }) => cost ?? []);
  return {
    sessions: observed.length,
    sessionsWithoutCost: observed.length - known.length,
    cost: known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
  };
}

async function changesOf(tx: Tx, orgId: string, ids: readonly string[]): Promise<ReconciledAgent['change'][]> {
  const rows = await tx.query<{
    id: string;
    repository_id: string;
    provider: Provider;
    full_name: string;
    branch: string;
    number: number | null;
    title: string | null;
    merge_sha: string | null;
    merged_at: Date;
  }>({
    name: 'reconciliation.changes',
    text: `select distinct on (c.id) c.id, c.repository_id, r.provider, r.full_name, c.branch, c.number, p.title, c.merge_sha, c.merged_at
           from change_record c join repository r on r.org_id = $1 and r.id = c.repository_id
           left join pull_request p on p.org_id = $1 and p.repository_id = c.repository_id and p.number = c.number
           where c.org_id = $1 and c.id = any($2::uuid[]) order by c.id, c.version desc`,
    values: [orgId, ids],
  });
  return rows.map((row) => ({
    id: row.id,
    repository: { id: row.repository_id, provider: row.provider, fullName: row.full_name },
    branch: row.branch,
    number: row.number,
    title: row.title,
    mergeSha: row.merge_sha,
    mergedAt: row.merged_at.toISOString(),
  }));
}

/** Returns the values of the visible agents of changes that filters offer. */
export async function findFilters(tx: Tx, actor: Actor): Promise<z.output<typeof getReconciliationFilters.response>> {
  const visible = () => visibleAgents(tx, actor, {});
  const agents = await visible().where('a.agent', '<>', '').select('a.agent').distinct().orderBy('a.agent').execute();
  const models = await visible()
    .select(sql<string>`unnest(a.models)`.as('model'))
    .distinct()
    .orderBy('model')
    .limit(MAX_OPTIONS)
    .execute();
  const people = await visible()
    .select(sql<string>`unnest(a.persons)`.as('person'))
    .distinct()
    .limit(MAX_OPTIONS)
    .execute();
  const repositories = await tx.db
    .selectFrom('repository as r')
    .where('r.org_id', '=', actor.orgId)
    .where('r.id', 'in', visible().select('a.repository_id'))
    .select(['r.id', 'r.full_name as name'])
    .orderBy('name')
    .limit(MAX_OPTIONS)
    .execute();
  const own = ownPersons(actor);
  const ids = people.map(({ person }) => person).filter((person) => own === undefined || own.includes(person));
  const show = await displayOfPersons(tx, actor.orgId, ids);
  return {
    agents: agents.map(({ agent }) => agent),
    models: models.map(({ model }) => model),
    people: ids
      .flatMap((id) => {
        const { name } = show(id);
        return name === null ? [] : [{ id, name }];
      })
      .toSorted((one, other) => one.name.localeCompare(other.name, 'en')),
    repositories,
  };
}

const MAX_OPTIONS = 500;

/** Returns the agents of a change with their sessions. Throws 404 for a change that is not visible to the reader. */
export async function findChangeAgents(tx: Tx, actor: Actor, id: string): Promise<ChangeAgents> {
  const { orgId } = actor;
  if (!(await isVisibleChange(tx, actor, id))) throw NotFound('Change');
  const rows = await tx.db
    .selectFrom('reconciled_agent')
    .where('org_id', '=', orgId)
    .where('change_id', '=', id)
    .select(['agent', 'status', 'missing', 'models'])
    .orderBy('agent')
    .execute();
  const joins = await joinsOf(tx, actor, [id]);
  const [beside] = await tx.query<{ links: number | null; joined: { agent: string; count: number }[] }>({
    name: 'reconciliation.beside',
    text: `select (select session_links from change_work where org_id = $1 and change_id = $2) as links,
             (select coalesce(jsonb_agg(jsonb_build_object('agent', agent, 'count', n)), '[]') from (
               select agent, count(*)::int as n from agent_join where org_id = $1 and change_id = $2 group by agent) each) as joined`,
    values: [orgId, id],
  });
  const others = new Map(
    (
      await tx.query<{ id: string; n: number }>({
        name: 'reconciliation.other-changes',
        text: `select session_id as id, count(*)::int as n from agent_join
               where org_id = $1 and session_id = any($2::uuid[]) and change_id <> $3 and confidence <> 'low' group by session_id`,
        values: [orgId, joins.map((one) => one.id), id],
      })
    ).map((row) => [row.id, row.n]),
  );
  const show = await displayOfPersons(
    tx,
    orgId,
    joins.flatMap(({ person }) => person ?? []),
  );
  const known = await knownServers(tx, orgId, id);
  // Sessions at the same time belong to no agent of a change without agents.
  const ofAgent = (agent: string) => joins.filter((one) => one.agent === agent || agent === '');
  return {
    agents: rows.map(({ agent, status, missing, models }) => {
      const sessions = ofAgent(agent);
      const all = (beside?.joined ?? []).filter((one) => one.agent === agent || agent === '');
      return {
        agent: agent === '' ? null : agent,
        status: status as ReconciledAgent['status'],
        missing: missing as ReconciledAgent['missing'],
        models,
        mcpServers: known.servers.get(agent) ?? null,
        sessions: sessions.map(({ changeId: _, isStored, ...one }) => ({
          id: one.id,
          isOpenable: isStored,
          agent: one.agent,
          person: one.person === null ? null : show(one.person),
          models: one.models,
          joins: one.joins,
          confidence: one.confidence,
          cost: one.cost,
          otherChanges: others.get(one.id) ?? 0,
          firstAt: one.firstAt.toISOString(),
          lastAt: one.lastAt.toISOString(),
        })),
        hiddenSessions: all.reduce((sum, { count }) => sum + count, 0) - sessions.length,
      };
    }),
    ...costsOf(joins),
    sessionLinks: beside?.links ?? 0,
    policy: await findPolicyResult(tx, orgId, id),
    configuredServers: known.configured,
  };
}

/** The MCP servers in the latest record of a change: those that each agent used, and those that it configures. */
async function knownServers({ db }: Tx, orgId: string, id: string) {
  const row = await db
    .selectFrom('change_record')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .orderBy('version', 'desc')
    .limit(1)
    .select('parts')
    .executeTakeFirst();
  const { agents, configuredServers } = (row?.parts ?? {}) as unknown as Partial<ChangeParts>;
  const used = agents === undefined || agents.state === 'missing' ? [] : agents.value;
  return {
    servers: new Map<string, string[]>(
      used.flatMap(({ agent, mcpServers }) =>
        mcpServers === undefined || mcpServers.state === 'missing' ? [] : [[agent, [...mcpServers.value]] as const],
      ),
    ),
    configured:
      configuredServers === undefined || configuredServers.state === 'missing' ? null : [...configuredServers.value],
  };
}

/** Zero for each status. */
export const noCounts = () =>
  Object.fromEntries(reconciliationStatuses.map((status) => [status, 0])) as Record<ReconciledAgent['status'], number>;
