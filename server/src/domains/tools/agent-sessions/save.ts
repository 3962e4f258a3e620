import type { AgentMeasure, TelemetrySignal } from '@sightline/contract/tools/agent-sessions.ts';
import { hmacSha256 } from '#core/hmac.ts';
import { NIL_UUID, newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry, merkleRoot } from '#core/ledger.ts';
import { sealPromptText } from '#core/prompt-texts.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { MappedRecord } from './map.ts';
import { isStoringPrompts } from './prompt-storage.ts';
import { agentSessionsReceived } from './topics.ts';

/** The sender of telemetry: a member with their own key or token, or the organization. */
export interface Reporter {
  accountId: string;
  personId: string;
}

/** The records of one request. */
export interface TelemetryDelivery {
  reporter: Reporter | undefined;
  records: readonly MappedRecord[];
}

/** A session that a batch reports, with what its records say of it. */
interface ReportedSession {
  agent: string;
  vendorSession: string;
  /** Nil UUID for a key of the organization. */
  reporter: string;
  personId: string | undefined;
  /** Only if the organization sent it: the person is then the one that the telemetry declares. */
  email: string | undefined;
  version: string | undefined;
  remote: string | undefined;
  branch: string | undefined;
  models: Set<string>;
  mcpServers: Set<string>;
  reportsTools: boolean;
  namesMcpServers: boolean;
  first: number;
  last: number;
  records: MappedRecord[];
}

/**
 * Writes new records with their sessions, totals and one ledger entry. Repeated records change nothing. Rows are
 * written in the order of their keys, so that concurrent batches do not block each other mutually.
 */
export async function saveTelemetry(
  services: Services,
  tx: Tx,
  orgId: string,
  deliveries: readonly TelemetryDelivery[],
): Promise<void> {
  const sessions = sessionsOf(deliveries);
  await resolvePersons(services, tx, orgId, sessions);
  const ids = await upsertSessions(tx, orgId, sessions);
  const entryId = newId();
  const lines = sessions.flatMap((session, index) =>
    session.records.map((record): RecordLine => ({ sessionId: ids[index] ?? '', session, record })),
  );
  const newLines = await insertRecords(services, tx, orgId, { lines, entryId });
  const raised = await upsertTotals(tx, orgId, totalsOf(newLines, lines));
  const digests = [...newLines.map(({ record }) => record.digest), ...raised];
  if (digests.length === 0) return;
  await saveTouches(tx, orgId, newLines);
  await services.topics.publish({ services, tx, orgId }, agentSessionsReceived, { sessionIds: [...new Set(ids)] });
  const now = new Date().toISOString();
  const entry = createLedgerEntry(
    {
      id: entryId,
      org: orgId,
      kind: 'agent_session.batch',
      asOf: now,
      receivedAt: now,
      person: null,
      source: 'telemetry',
      subject: {
        count: newLines.length,
        series: raised.length,
        root: merkleRoot(digests.toSorted(Buffer.compare)).toString('base64url'),
      },
      personal: {},
    },
    undefined,
  );
  await appendEntries(tx, orgId, [entry]);
}

/** Groups the records by session, in the order of the unique key. */
function sessionsOf(deliveries: readonly TelemetryDelivery[]): ReportedSession[] {
  const found = new Map<string, ReportedSession>();
  for (const { reporter, records } of deliveries) {
    for (const record of records) {
      const { agent, vendorSession, email, version, remote, branch } = record.session;
      const key = `${agent}\n${vendorSession}\n${reporter?.accountId ?? NIL_UUID}`;
      const session = found.get(key) ?? {
        agent,
        vendorSession,
        reporter: reporter?.accountId ?? NIL_UUID,
        personId: reporter?.personId,
        email: undefined,
        version: undefined,
        remote: undefined,
        branch: undefined,
        models: new Set(),
        mcpServers: new Set(),
        reportsTools: false,
        namesMcpServers: true,
        first: Number.POSITIVE_INFINITY,
        last: 0,
        records: [],
      };
      found.set(key, session);
      session.email ??= email;
      session.version = version ?? session.version;
      session.remote = remote ?? session.remote;
      session.branch = branch ?? session.branch;
      if (record.fields.model != null) session.models.add(record.fields.model);
      addToolUse(session, record);
      session.first = Math.min(session.first, record.at.getTime());
      session.last = Math.max(session.last, record.at.getTime());
      session.records.push(record);
    }
  }
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, session]) => session);
}

const toolKinds: readonly string[] = ['tool_call', 'tool_decision'];

function addToolUse(session: ReportedSession, { kind, fields: { tool, mcpServer } }: MappedRecord): void {
  if (!toolKinds.includes(kind)) return;
  session.reportsTools = true;
  if (mcpServer != null) session.mcpServers.add(mcpServer);
  // Agents that leave out details call every such tool alike.
  else if (tool == null || /^mcp(_|$)/i.test(tool)) session.namesMcpServers = false;
}

/** Telemetry under a key of the organization declares its person by address. */
async function resolvePersons(
  { people }: Services,
  tx: Tx,
  orgId: string,
  sessions: readonly ReportedSession[],
): Promise<void> {
  const declared = sessions.filter(({ personId, email }) => personId === undefined && email !== undefined);
  const emails = [...new Set(declared.map(({ email }) => email ?? ''))];
  if (emails.length === 0) return;
  const persons = await people.resolve(
    tx,
    orgId,
    emails.map((value) => ({ names: [{ kind: 'email', value }], display: null, picture: null, source: 'telemetry' })),
  );
  const personOf = new Map(emails.map((email, index) => [email, persons[index]]));
  for (const session of declared) session.personId = personOf.get(session.email ?? '');
}

/** Writes the sessions and returns their IDs in the same order. */
async function upsertSessions(tx: Tx, orgId: string, sessions: readonly ReportedSession[]): Promise<string[]> {
  const repositories = await findRepositories(tx, orgId, sessions);
  const rows = await tx.query<{ id: string; key: string }>({
    name: 'agents.sessions',
    text: `insert into agent_session as s (org_id, id, agent, vendor_session, reporter, person_id, repository_id, branch, version, models,
             mcp_servers, reports_tools, names_mcp_servers, first_at, last_at, received_at)
           select $1, n.id, n.agent, n.session, n.reporter, n.person, n.repository, n.branch, n.version,
             array(select jsonb_array_elements_text(n.models)), array(select jsonb_array_elements_text(n.servers)), n.tools, n.named,
             n.first, n.last, now()
           from unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::uuid[], $7::uuid[], $8::text[], $9::text[], $10::jsonb[],
             $11::timestamptz[], $12::timestamptz[], $13::jsonb[], $14::boolean[], $15::boolean[]) with ordinality
             as n(id, agent, session, reporter, person, repository, branch, version, models, first, last, servers, tools, named, place)
           order by n.place
           on conflict (org_id, agent, vendor_session, reporter) do update
           set person_id = coalesce(s.person_id, excluded.person_id),
             repository_id = coalesce(excluded.repository_id, s.repository_id),
             branch = coalesce(excluded.branch, s.branch),
             version = coalesce(excluded.version, s.version),
             models = array(select distinct m from unnest(s.models || excluded.models) as m order by m limit ${MAX_MODELS}),
             mcp_servers = array(select distinct m from unnest(s.mcp_servers || excluded.mcp_servers) as m order by m limit ${MAX_MODELS}),
             reports_tools = s.reports_tools or excluded.reports_tools,
             names_mcp_servers = s.names_mcp_servers and excluded.names_mcp_servers
               and cardinality(s.mcp_servers) < ${MAX_MODELS},
             first_at = least(s.first_at, excluded.first_at),
             last_at = greatest(s.last_at, excluded.last_at),
             received_at = excluded.received_at
           returning s.id, s.agent || chr(10) || s.vendor_session || chr(10) || s.reporter as key`,
    values: [
      orgId,
      sessions.map(() => newId()),
      sessions.map(({ agent }) => agent),
      sessions.map(({ vendorSession }) => vendorSession),
      sessions.map(({ reporter }) => reporter),
      sessions.map(({ personId }) => personId ?? null),
      sessions.map(({ remote }) => repositories.get(remote ?? '') ?? null),
      sessions.map(({ branch }) => branch ?? null),
      sessions.map(({ version }) => version ?? null),
      sessions.map(({ models }) => JSON.stringify([...models].toSorted().slice(0, MAX_MODELS))),
      sessions.map(({ first }) => new Date(first)),
      sessions.map(({ last }) => new Date(last)),
      sessions.map(({ mcpServers }) => JSON.stringify([...mcpServers].toSorted().slice(0, MAX_MODELS))),
      sessions.map(({ reportsTools }) => reportsTools),
      sessions.map(({ namesMcpServers, mcpServers }) => namesMcpServers && mcpServers.size < MAX_MODELS),
    ],
  });
  const ids = new Map(rows.map(({ key, id }) => [key, id]));
  return sessions.map(({ agent, vendorSession, reporter }) => ids.get(`${agent}\n${vendorSession}\n${reporter}`) ?? '');
}

/** Maximum number of models and of MCP servers of a session. */
const MAX_MODELS = 50;

/** The enabled repositories of remotes. Whether a reader may see one is decided when it is read. */
async function findRepositories(
  tx: Tx,
  orgId: string,
  sessions: readonly ReportedSession[],
): Promise<ReadonlyMap<string, string>> {
  const remotes = [...new Set(sessions.flatMap(({ remote }) => remote ?? []))];
  if (remotes.length === 0) return new Map();
  const rows = await tx.query<{ id: string; full_name: string; html_url: string }>({
    name: 'agents.repositories',
    text: `select id, lower(full_name) as full_name, html_url from repository
           where org_id = $1 and tracked and lower(full_name) = any($2::text[])`,
    values: [orgId, remotes.map((remote) => remote.slice(remote.indexOf('/') + 1).toLowerCase())],
  });
  return new Map(
    remotes.flatMap((remote) => {
      const [host, path] = [remote.slice(0, remote.indexOf('/')), remote.slice(remote.indexOf('/') + 1).toLowerCase()];
      const row = rows.find(
        ({ full_name, html_url }) =>
          full_name === path && URL.canParse(html_url) && new URL(html_url).hostname === host,
      );
      return row ? [[remote, row.id] as const] : [];
    }),
  );
}

/** Characters of a prompt. The rest of a longer one is not stored. */
const MAX_PROMPT_LENGTH = 32_000;

interface RecordLine {
  sessionId: string;
  session: ReportedSession;
  record: MappedRecord;
}

/** Inserts the records except points of cumulative series, and returns those that are new. */
async function insertRecords(
  { people }: Services,
  tx: Tx,
  orgId: string,
  { lines, entryId }: { lines: readonly RecordLine[]; entryId: string },
): Promise<RecordLine[]> {
  const byKey = new Map(
    lines.filter(({ record }) => !record.isCumulative).map((line) => [keyOf(line.sessionId, line.record.digest), line]),
  );
  if (byKey.size === 0) return [];
  const ordered = [...byKey].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line);
  const prompting = ordered.flatMap(({ session, record }) =>
    record.promptText === undefined || session.personId === undefined ? [] : [session.personId],
  );
  const keys = prompting.length === 0 ? new Map<string, Buffer>() : await people.keys(tx, orgId, prompting);
  const rows = await tx.query<{ session_id: string; digest: Buffer }>({
    name: 'agents.records',
    text: `insert into agent_record (org_id, session_id, digest, at, signal, kind, fields, prompt_hash, entry_id)
           select $1, n.session, n.digest, n.at, n.signal, n.kind, n.fields, n.prompt, $9
           from unnest($2::uuid[], $3::bytea[], $4::timestamptz[], $5::text[], $6::text[], $7::json[], $8::bytea[]) with ordinality
             as n(session, digest, at, signal, kind, fields, prompt, place)
           order by n.place
           on conflict do nothing returning session_id, digest`,
    values: [
      orgId,
      ordered.map(({ sessionId }) => sessionId),
      ordered.map(({ record }) => record.digest),
      ordered.map(({ record }) => record.at),
      ordered.map(({ record }) => record.signal),
      ordered.map(({ record }) => record.kind),
      ordered.map(({ record }) => JSON.stringify(record.fields)),
      ordered.map(({ session, record }) => promptHashOf(keys.get(session.personId ?? ''), record)),
      entryId,
    ],
  });
  const added = rows.flatMap(({ session_id: id, digest }) => byKey.get(keyOf(id, digest)) ?? []);
  if (keys.size > 0) await savePromptTexts(tx, orgId, added, keys);
  return added;
}

const keyOf = (sessionId: string, digest: Buffer) => `${sessionId} ${digest.toString('hex')}`;

/** Under the key of the person, so that the hash means nothing after an erasure. Without a person there is none. */
const promptHashOf = (key: Buffer | undefined, { promptText }: MappedRecord): Buffer | null =>
  key === undefined || promptText === undefined ? null : hmacSha256(key, `prompt\n${promptText}`);

/** Stores the texts of prompts, if the organization does and their person is known. */
async function savePromptTexts(
  tx: Tx,
  orgId: string,
  lines: readonly RecordLine[],
  keys: ReadonlyMap<string, Buffer>,
): Promise<void> {
  if (!(await isStoringPrompts(tx, orgId))) return;
  const rows = lines.flatMap(({ sessionId, session: { personId }, record: { digest, promptText } }) => {
    const key = keys.get(personId ?? '');
    if (key === undefined || personId === undefined || promptText === undefined) return [];
    const text = promptText.slice(0, MAX_PROMPT_LENGTH).toWellFormed();
    return [{ sessionId, digest, personId, sealed: sealPromptText(key, { orgId, sessionId, digest }, text) }];
  });
  if (rows.length === 0) return;
  await tx.query({
    name: 'agents.prompts',
    text: `insert into agent_prompt (org_id, session_id, digest, person_id, text)
           select $1, n.session, n.digest, n.person, n.sealed
           from unnest($2::uuid[], $3::bytea[], $4::uuid[], $5::bytea[]) as n(session, digest, person, sealed) on conflict do nothing`,
    values: [
      orgId,
      rows.map(({ sessionId }) => sessionId),
      rows.map(({ digest }) => digest),
      rows.map(({ personId }) => personId),
      rows.map(({ sealed }) => sealed),
    ],
  });
}

/** Stores the commits and files of new records, in the order of their key. */
async function saveTouches(tx: Tx, orgId: string, lines: readonly RecordLine[]): Promise<void> {
  const touches = new Map(
    lines.flatMap(({ sessionId, record }) =>
      record.touches.map((touch) => [`${sessionId} ${touch.kind} ${touch.value}`, { sessionId, ...touch }] as const),
    ),
  );
  if (touches.size === 0) return;
  const ordered = [...touches].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, touch]) => touch);
  await tx.query({
    name: 'agents.touches',
    text: `insert into agent_touch (org_id, session_id, kind, value)
           select $1, n.session, n.kind, n.value
           from unnest($2::uuid[], $3::text[], $4::text[]) with ordinality as n(session, kind, value, place)
           order by n.place on conflict do nothing`,
    values: [
      orgId,
      ordered.map(({ sessionId }) => sessionId),
      ordered.map(({ kind }) => kind),
      ordered.map(({ value }) => value),
    ],
  });
}

interface Total {
  sessionId: string;
  signal: TelemetrySignal;
  measure: AgentMeasure;
  model: string;
  /** The digest of a cumulative series; empty for a sum. */
  series: Buffer;
  value: number;
}

const noSeries = Buffer.alloc(0);

/** The sums of new records, and the largest value of each cumulative series. */
function totalsOf(newLines: readonly RecordLine[], lines: readonly RecordLine[]): Total[] {
  const totals = new Map<string, Total>();
  for (const { sessionId, record } of [...newLines, ...lines.filter((line) => line.record.isCumulative)]) {
    const { signal, digest, isCumulative, fields } = record;
    for (const [name, value] of Object.entries(fields.measures)) {
      const total = {
        sessionId,
        signal,
        measure: name as AgentMeasure,
        model: fields.model ?? '',
        series: isCumulative ? digest : noSeries,
        value,
      };
      const key = [sessionId, signal, name, total.model, total.series.toString('hex')].join('\n');
      const before = totals.get(key)?.value ?? 0;
      totals.set(key, { ...total, value: isCumulative ? Math.max(before, value) : before + value });
    }
  }
  return [...totals].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, total]) => total);
}

/** Adds the totals and returns the digests of the cumulative series that rose. */
async function upsertTotals(tx: Tx, orgId: string, totals: readonly Total[]): Promise<Buffer[]> {
  if (totals.length === 0) return [];
  const rows = await tx.query<{ series: Buffer }>({
    name: 'agents.totals',
    text: `insert into agent_total as t (org_id, session_id, signal, measure, model, series, value)
           select $1, n.session, n.signal, n.measure, n.model, n.series, n.value
           from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::float8[]) with ordinality
             as n(session, signal, measure, model, series, value, place)
           order by n.place
           on conflict (org_id, session_id, signal, measure, model, series) do update
           set value = case when excluded.series = '' then t.value + excluded.value else excluded.value end
           where excluded.series = '' or excluded.value > t.value
           returning series`,
    values: [
      orgId,
      totals.map(({ sessionId }) => sessionId),
      totals.map(({ signal }) => signal),
      totals.map(({ measure }) => measure),
      totals.map(({ model }) => model),
      totals.map(({ series }) => series),
      totals.map(({ value }) => value),
    ],
  });
  return rows.map(({ series }) => series).filter((series) => series.length > 0);
}
