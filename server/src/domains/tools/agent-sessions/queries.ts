import type { Page } from '@sightline/contract/core/endpoint.ts';
import { parsePeriod } from '@sightline/contract/core/periods.ts';
import {
  type AgentMeasure,
  type AgentRecord,
  type AgentSession,
  type AgentSessionDetail,
  type AgentSessionsQuery,
  type AgentTotals,
  type getAgentSessionFilters,
  type listAgentRecords,
  type TelemetrySignal,
  telemetrySignals,
} from '@sightline/contract/tools/agent-sessions.ts';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import { NIL_UUID } from '#core/ids.ts';
import { loadPersonDisplays } from '#core/person-displays.ts';
import { openPromptText } from '#core/prompt-texts.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';
import { seesAllRepositories } from '../../organization/repository-access/queries.ts';
import { readableRepositoryIds } from '../../sources/repositories/queries.ts';
import type { StoredFields } from './map.ts';
import { agentNameOf } from './vendors.ts';

/** The sessions that a member may see, with alias `s`: all, or with the permission scope `own` their own. */
const visibleSessions = ({ db }: Tx, actor: Actor) =>
  db
    .selectFrom('agent_session as s')
    .where('s.org_id', '=', actor.orgId)
    .$if(actor.reach('read:events') !== 'all', (query) =>
      query.where('s.person_id', 'in', [actor.personId, ...actor.formerIds]),
    );

/** Whether the repository of a session is one that the reader may see. */
async function readableSql(tx: Tx, actor: Actor): Promise<RawBuilder<boolean>> {
  if (seesAllRepositories(actor)) return sql<boolean>`true`;
  return sql<boolean>`s.repository_id = any(${await readableRepositoryIds(tx, actor)}::uuid[])`;
}

const sessionColumns = [
  's.id',
  's.agent',
  's.vendor_session',
  's.reporter',
  's.person_id',
  's.branch',
  's.version',
  's.models',
  's.first_at',
  's.last_at',
] as const;

/** Lists one page of the visible sessions. */
export async function listSessions(tx: Tx, actor: Actor, query: AgentSessionsQuery): Promise<Page<AgentSession[]>> {
  const { agent, model, person, repository, search } = query;
  const readable = await readableSql(tx, actor);
  const period = query.period === undefined ? undefined : parsePeriod(query.period);
  const direction = query.sort === 'date-asc' ? 'asc' : 'desc';
  const { rows, total } = await fetchPage(
    visibleSessions(tx, actor)
      .leftJoin('repository as r', (join) =>
        join.onRef('r.org_id', '=', 's.org_id').onRef('r.id', '=', 's.repository_id').on(readable),
      )
      .$if(search !== '', (q) => q.where((eb) => containsText(eb.ref('s.vendor_session'), search)))
      .$if(agent.length > 0, (q) => q.where('s.agent', 'in', agent))
      .$if(model.length > 0, (q) => q.where(sql<boolean>`s.models && ${model}::text[]`))
      .$if(person.length > 0, (q) => q.where('s.person_id', 'in', person))
      .$if(repository.length > 0, (q) => q.where('r.id', 'in', repository))
      .$if(period !== undefined, (q) =>
        q.where('s.last_at', '>=', new Date(period?.from ?? 0)).where('s.first_at', '<', new Date(period?.to ?? 0)),
      )
      .select([...sessionColumns, 'r.id as repository', 'r.full_name'])
      .orderBy('s.last_at', direction)
      .orderBy('s.id'),
    query,
  );
  return { rows: await sessionsOf(tx, actor.orgId, rows), total };
}

/** Returns a session with its totals by model. Throws 404 for one that the member may not see. */
export async function findSession(tx: Tx, actor: Actor, id: string): Promise<AgentSessionDetail> {
  const readable = await readableSql(tx, actor);
  const row = await visibleSessions(tx, actor)
    .leftJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 's.org_id').onRef('r.id', '=', 's.repository_id').on(readable),
    )
    .where('s.id', '=', id)
    .select([...sessionColumns, 'r.id as repository', 'r.full_name'])
    .executeTakeFirst();
  const [session] = row ? await sessionsOf(tx, actor.orgId, [row]) : [];
  if (!session) throw NotFound('Agent session');
  const totals = await totalsOf(tx, actor.orgId, [id]);
  const models = [...new Set(totals.map(({ model }) => model))].filter((model) => model !== '').toSorted();
  const preferred = preferredTotals(totals);
  return {
    ...session,
    byModel: models.map((model) => ({ model, totals: sumOf(preferred.filter((one) => one.model === model)) })),
    signals: telemetrySignals.filter((signal) => totals.some((one) => one.signal === signal)),
    ...(await touchesOf(tx, actor.orgId, id)),
  };
}

const MAX_TOUCHES = 100;

async function touchesOf(tx: Tx, orgId: string, id: string): Promise<Pick<AgentSessionDetail, 'builds' | 'commits'>> {
  const rows = await tx.db
    .selectFrom('agent_touch')
    .select(['kind', 'value'])
    .where('org_id', '=', orgId)
    .where('session_id', '=', id)
    .where('kind', 'in', ['build', 'commit'])
    .orderBy('value')
    .limit(MAX_TOUCHES)
    .execute();
  const valuesOf = (kind: string) => rows.filter((row) => row.kind === kind).map(({ value }) => value);
  return { builds: valuesOf('build'), commits: valuesOf('commit') };
}

interface SessionRow {
  id: string;
  agent: string;
  vendor_session: string;
  reporter: string;
  person_id: string | null;
  branch: string | null;
  version: string | null;
  models: string[];
  first_at: Date;
  last_at: Date;
  repository: string | null;
  full_name: string | null;
}

async function sessionsOf(tx: Tx, orgId: string, rows: readonly SessionRow[]): Promise<AgentSession[]> {
  const totals = await totalsOf(
    tx,
    orgId,
    rows.map(({ id }) => id),
  );
  const displayOf = await loadPersonDisplays(
    tx,
    orgId,
    rows.flatMap(({ person_id: id }) => id ?? []),
  );
  return rows.map((row) => ({
    id: row.id,
    agent: { id: row.agent, name: agentNameOf(row.agent) },
    vendorSessionId: row.vendor_session,
    person: row.person_id === null ? null : displayOf(row.person_id),
    personSource: row.reporter !== NIL_UUID ? 'key' : row.person_id === null ? 'unknown' : 'declared',
    repository: row.repository === null ? null : { id: row.repository, fullName: row.full_name ?? '' },
    branch: row.branch,
    version: row.version,
    models: row.models,
    firstAt: row.first_at.toISOString(),
    lastAt: row.last_at.toISOString(),
    totals: sumOf(preferredTotals(totals.filter(({ sessionId }) => sessionId === row.id))),
  }));
}

interface SessionTotal extends Record<string, unknown> {
  sessionId: string;
  signal: TelemetrySignal;
  measure: AgentMeasure;
  model: string;
  value: number;
}

const totalsOf = (tx: Tx, orgId: string, sessionIds: readonly string[]): Promise<SessionTotal[]> =>
  tx.query<SessionTotal>({
    name: 'agents.totals-of',
    text: `select session_id as "sessionId", signal, measure, model, sum(value) as value from agent_total
           where org_id = $1 and session_id = any($2::uuid[]) group by 1, 2, 3, 4`,
    values: [orgId, sessionIds],
  });

/** The totals of a session, each measure from the first signal that reports it, so that nothing counts twice. */
function preferredTotals(totals: readonly SessionTotal[]): SessionTotal[] {
  return totals.filter(({ measure, signal }) => {
    const first = telemetrySignals.find((one) =>
      totals.some((other) => other.signal === one && other.measure === measure),
    );
    return signal === first;
  });
}

function sumOf(totals: readonly SessionTotal[]): AgentTotals {
  const sums: AgentTotals = {};
  for (const { measure, value } of totals) sums[measure] = (sums[measure] ?? 0) + value;
  return sums;
}

/** Lists the records of a session. Throws 404 for a session that the member may not see. */
export async function listRecords(
  { people }: Services,
  tx: Tx,
  actor: Actor,
  { sessionId, query }: { sessionId: string; query: z.output<typeof listAgentRecords.query> },
): Promise<Page<AgentRecord[]>> {
  const visible = await visibleSessions(tx, actor).where('s.id', '=', sessionId).select('s.id').executeTakeFirst();
  if (!visible) throw NotFound('Agent session');
  const direction = query.sort === 'date-asc' ? 'asc' : 'desc';
  const { rows, total } = await fetchPage(
    tx.db
      .selectFrom('agent_record as a')
      .leftJoin('agent_prompt as p', (join) =>
        join
          .onRef('p.org_id', '=', 'a.org_id')
          .onRef('p.session_id', '=', 'a.session_id')
          .onRef('p.digest', '=', 'a.digest'),
      )
      .where('a.org_id', '=', actor.orgId)
      .where('a.session_id', '=', sessionId)
      .$if(query.kind.length > 0, (q) => q.where('a.kind', 'in', query.kind))
      .$if(query.search !== '', (q) =>
        q.where(containsText(sql<string>`coalesce(a.fields->>'tool', a.fields->>'model', a.kind)`, query.search)),
      )
      .select(['a.digest', 'a.at', 'a.signal', 'a.kind', 'a.entry_id', sql<string>`a.fields::text`.as('fields')])
      .select(['p.person_id', 'p.text'])
      .orderBy('a.at', direction)
      .orderBy('a.digest', direction),
    query,
  );
  const persons = rows.flatMap(({ person_id: person }) => person ?? []);
  const keys = persons.length === 0 ? new Map<string, Buffer>() : await people.keys(tx, actor.orgId, persons);
  return {
    rows: rows.map(({ digest, at, signal, kind, entry_id: entryId, fields, person_id: person, text }) => {
      const key = keys.get(person ?? '');
      const stored: StoredFields = JSON.parse(fields);
      return {
        id: digest.toString('hex'),
        at: at.toISOString(),
        signal: signal as AgentRecord['signal'],
        kind: kind as AgentRecord['kind'],
        model: stored.model ?? null,
        tool: stored.tool ?? null,
        mcpServer: stored.mcpServer ?? null,
        decision: stored.decision ?? null,
        success: stored.success ?? null,
        durationMs: stored.durationMs ?? null,
        promptLength: stored.promptLength ?? null,
        promptText: key && text ? openPromptText(key, { orgId: actor.orgId, sessionId, digest }, text) : null,
        measures: stored.measures,
        entryId,
      };
    }),
    total,
  };
}

/** Returns the values of the visible sessions that filters offer. */
export async function findFilters(tx: Tx, actor: Actor): Promise<z.output<typeof getAgentSessionFilters.response>> {
  const agents = await visibleSessions(tx, actor).select('s.agent').distinct().execute();
  const models = await visibleSessions(tx, actor)
    .select(sql<string>`unnest(s.models)`.as('model'))
    .distinct()
    .execute();
  const people = await visibleSessions(tx, actor)
    .where('s.person_id', 'is not', null)
    .select('s.person_id')
    .distinct()
    .limit(MAX_OPTIONS)
    .execute();
  const repositories = await visibleSessions(tx, actor)
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 's.org_id').onRef('r.id', '=', 's.repository_id'),
    )
    .where(await readableSql(tx, actor))
    .select(['r.id', 'r.full_name as name'])
    .distinct()
    .orderBy('name')
    .limit(MAX_OPTIONS)
    .execute();
  const ids = people.flatMap(({ person_id: id }) => id ?? []);
  const displayOf = await loadPersonDisplays(tx, actor.orgId, ids);
  return {
    agents: agents.map(({ agent }) => ({ id: agent, name: agentNameOf(agent) })).toSorted(byName),
    models: models.map(({ model }) => model).toSorted(),
    people: ids.map((id) => ({ id, name: displayOf(id).name })).toSorted(byName),
    repositories,
  };
}

const MAX_OPTIONS = 500;
const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name, 'en');

/** When the last telemetry of each agent arrived, of the sessions that the member may see. */
export async function listLastReceived(tx: Tx, actor: Actor): Promise<ReadonlyMap<string, Date>> {
  const rows = await visibleSessions(tx, actor)
    .select(['s.agent', ({ fn }) => fn.max('s.received_at').as('received_at')])
    .groupBy('s.agent')
    .execute();
  return new Map(rows.map(({ agent, received_at: at }) => [agent, at]));
}

/** What telemetry reports of a session, for joining it to changes. */
export interface TelemetrySession {
  id: string;
  agentName: string;
  /** The hash of the ID that the agent gave it. */
  key: string;
  person: string | null;
  repository: string | null;
  branch: string | null;
  models: readonly string[];
  /** Names of the MCP servers whose tools it called; not all of them unless `areMcpServersKnown`. */
  mcpServers: readonly string[];
  areMcpServersKnown: boolean;
  firstAt: Date;
  lastAt: Date;
  /** The starts of the SHA of the commits that it made, and keys of the files that it edited. */
  commits: readonly string[];
  files: readonly string[];
  /** In US dollars; null: not reported. */
  cost: number | null;
}

/** What may join sessions to a change. `from` and `to` are the time of its work. */
export interface SessionSearch {
  keys: readonly string[];
  commits: readonly string[];
  persons: readonly string[];
  repositoryId: string;
  branches: readonly string[];
  from: Date;
  to: Date;
}

// A change has fewer; the limit protects against an author with a session every second.
const MAX_CANDIDATES = 500;

/** Finds the sessions that may be joined to a change: by ID, by commit, and by branch or person within its time. */
export async function findSessionsOfWork(tx: Tx, orgId: string, search: SessionSearch): Promise<TelemetrySession[]> {
  const rows = await tx.query<{ id: string }>({
    name: 'agents.of-work',
    text: `select id from agent_session where org_id = $1 and hashtextextended(vendor_session, 0) = any($2::bigint[])
           union select session_id from agent_touch where org_id = $1 and kind = 'commit' and left(value, 7) = any($3::text[])
           union select id from agent_session
             where org_id = $1 and repository_id = $5 and branch = any($6::text[]) and first_at <= $8 and last_at >= $7
           union (select id from agent_session where org_id = $1 and person_id = any($4::uuid[]) and first_at <= $8 and last_at >= $7
             order by last_at desc limit ${MAX_CANDIDATES})
           limit ${2 * MAX_CANDIDATES}`,
    values: [
      orgId,
      search.keys,
      [...new Set(search.commits.map((sha) => sha.slice(0, 7)))],
      search.persons,
      search.repositoryId,
      search.branches,
      search.from,
      search.to,
    ],
  });
  return findTelemetrySessions(
    tx,
    orgId,
    rows.map(({ id }) => id),
  );
}

/** What telemetry reports of sessions. Deleted ones are left out. */
export async function findTelemetrySessions(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<TelemetrySession[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<Omit<TelemetrySession, 'agentName' | 'cost'> & { agent: string }>({
    name: 'agents.telemetry',
    text: `select s.id, s.agent, hashtextextended(s.vendor_session, 0)::text as key, s.person_id as person, s.repository_id as repository,
             s.branch, s.models, s.mcp_servers as "mcpServers", s.reports_tools and s.names_mcp_servers as "areMcpServersKnown",
             s.first_at as "firstAt", s.last_at as "lastAt",
             array(select value from agent_touch t where t.org_id = $1 and t.session_id = s.id and t.kind = 'commit' limit 1000) as commits,
             array(select value from agent_touch t where t.org_id = $1 and t.session_id = s.id and t.kind = 'file' limit 5000) as files
           from agent_session s where s.org_id = $1 and s.id = any($2::uuid[]) order by s.id`,
    values: [orgId, ids],
  });
  const totals = Map.groupBy(await totalsOf(tx, orgId, ids), ({ sessionId }) => sessionId);
  return rows.map(({ agent, ...row }) => ({
    ...row,
    agentName: agentNameOf(agent),
    cost: sumOf(preferredTotals(totals.get(row.id) ?? [])).costUsd ?? null,
  }));
}

/** The agents whose telemetry arrived for each person within a time, by the name of the agent. */
export async function findConnectedAgents(
  tx: Tx,
  orgId: string,
  { persons, from, to }: { persons: readonly string[]; from: Date; to: Date },
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (persons.length === 0) return new Map();
  const rows = await tx.query<{ person: string; agents: string[] }>({
    name: 'agents.connected',
    text: `select person_id as person, array_agg(distinct agent) as agents from agent_session
           where org_id = $1 and person_id = any($2::uuid[]) and first_at <= $4 and last_at >= $3 group by person_id`,
    values: [orgId, persons, from, to],
  });
  return new Map(rows.map(({ person, agents }) => [person, agents.map(agentNameOf)]));
}
