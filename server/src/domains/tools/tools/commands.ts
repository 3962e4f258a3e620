import type { ExtensionSide } from '@sightline/contract/identity/extensions.ts';
import type { McpServer } from '@sightline/contract/tools/describe-mcp-servers.ts';
import type { reportTools } from '@sightline/contract/tools/editor-reports.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { loadPersonDisplays } from '#core/person-displays.ts';
import type { Services } from '#core/services.ts';
import type { Publication } from '#core/topics.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { visibleRepositories } from '../../organization/repository-access/queries.ts';
import { appendFacts } from '../../timeline/events/commands.ts';
import { toolOfExtension, toolOfHost } from './catalog/catalog.ts';
import { toolOfMcpServer } from './catalog/uncataloged-tools.ts';
import type { DetectedConfiguration } from './detect/detection.ts';
import { recordSightings, type ToolSightingInput } from './record-sightings.ts';
import { programEntryOf, toolStartedEvent, toolStoppedEvent } from './use-events.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'tools.scan': { orgId: string; repositoryId: string };
  }
}

type ToolReport = z.output<typeof reportTools.body>;
type CatalogEntry = ToolSightingInput['entry'];
type Configured = Pick<DetectedConfiguration, 'agent' | 'kind'> & { program: string };
/** The use of a tool by a member, reported by an extension. */
type Use = Pick<ToolSightingInput, 'entry' | 'source' | 'deviceId' | 'version' | 'at' | 'configuration'> & {
  /** Where it is used: an editor, a browser or an agent. */
  program: string;
  /** The program with the extension that reported it. */
  reporter: string;
};

/** Records the complete list of extensions of an editor; extensions missing from it count as removed. */
export async function recordEditorReport(services: Services, actor: Actor, report: ToolReport): Promise<null> {
  const at = new Date();
  const { type: reporter, deviceId } = report;
  const seen = { source: 'vscode', program: reporter, reporter, deviceId, at } as const;
  const uses = new Map<string, Use>();
  const add = (entry: CatalogEntry, version: string) => uses.set(entry.id, { ...seen, entry, version });
  add(programEntryOf(report.type, 'ide'), report.version);
  for (const { id, name, version } of report.tools) add(toolOfExtension(id, name.trim()), version);
  const addServers = (to: Map<string, Use>, servers: readonly McpServer[], configured: Configured) => {
    for (const server of servers) {
      const entry = toolOfMcpServer(server);
      const { program, ...configuration } = { ...configured, problem: null, server };
      to.set(entry.id, { ...seen, program, entry, version: server.version, configuration });
    }
  };
  addServers(uses, report.mcpServers ?? [], { program: report.type, agent: 'vs-code', kind: 'mcp' });
  const ofAgents = (report.agentMcpServers ?? []).map(({ agent, servers }) => {
    const used = new Map<string, Use>();
    addServers(used, servers, { program: agent, agent, kind: 'settings' });
    return { program: agent, uses: used, isServersReported: true };
  });
  await services.database.withOrg(actor.orgId, async (tx) => {
    const repositories = await repositoriesAt(tx, actor, report.repositories);
    // An extension that reports no MCP servers says nothing of those that an earlier version reported.
    const ofEditor = { program: report.type, uses, isServersReported: report.mcpServers !== undefined };
    let removed = 0;
    for (const reported of [ofEditor, ...ofAgents]) {
      const used = [...reported.uses.values()];
      await recordUses(services, tx, actor, { uses: used, repositories: reported === ofEditor ? repositories : [] });
      removed += await removeOthers(services, tx, actor, { ...reported, ...seen, program: reported.program });
    }
    if (removed > 0) tx.afterCommit(() => services.realtime.notifyOrganization(actor.orgId, 'orgTools', {}));
  });
  return null;
}

interface ReportedUses {
  program: string;
  reporter: string;
  deviceId: string;
  at: Date;
  /** By ID of the tool. */
  uses: ReadonlyMap<string, Use>;
  isServersReported: boolean;
}

/** Marks tools that a report leaves out as removed. Returns their number. */
async function removeOthers(
  services: Services,
  tx: Tx,
  actor: Actor,
  { program, reporter, deviceId, at, uses, isServersReported }: ReportedUses,
): Promise<number> {
  const removed = await tx.query<{ tool_id: string }>({
    name: 'tools.gone',
    text: `update tool_person set removed_at = $6 where org_id = $1 and tab = 'developer' and person_id = $2 and source = 'vscode'
           and program = $3 and device_id = $4 and tool_id <> all($5::text[]) and removed_at is null
           and (configuration is null or $7) returning tool_id`,
    values: [actor.orgId, actor.personId, program, deviceId, [...uses.keys()], at, isServersReported],
  });
  if (removed.length > 0) {
    await recordStopped(services, tx, actor, { program, reporter, ids: removed.map(({ tool_id }) => tool_id), at });
  }
  return removed.length;
}

/** Adds timeline events for tools that a member no longer uses in an editor on any device. */
async function recordStopped(
  services: Services,
  tx: Tx,
  actor: Actor,
  { program, reporter, ids, at }: Pick<Use, 'program' | 'reporter' | 'at'> & { ids: readonly string[] },
): Promise<void> {
  const stopped = await tx.query<Pick<CatalogEntry, 'id' | 'name' | 'vendor' | 'icon'>>({
    name: 'tools.stopped',
    text: `select id, name, vendor, icon from tool t where org_id = $1 and tab = 'developer' and id = any($4::text[])
             and not exists (select from tool_person p where p.org_id = $1 and p.tab = 'developer' and p.tool_id = t.id
               and p.person_id = $2 and p.program = $3 and p.removed_at is null)`,
    values: [actor.orgId, actor.personId, program, ids],
  });
  if (stopped.length === 0) return;
  const { name } = (await loadPersonDisplays(tx, actor.orgId, [actor.personId]))(actor.personId);
  await appendFacts(
    services,
    tx,
    actor.orgId,
    stopped.map((entry) => toolStoppedEvent({ entry, program, reporter, source: 'vscode', at }, actor, name)),
  );
}

/** Records the editor or browser of an extension, at most once an hour per person. */
export async function recordProgramUse(
  services: Services,
  actor: Actor,
  program: { side: ExtensionSide; type: string; version: string },
): Promise<void> {
  const { side, type, version } = program;
  const source = side === 'ide' ? 'vscode' : 'browser';
  await recordThrottled(services, actor, [
    { entry: programEntryOf(type, side), source, program: type, reporter: type, version, at: new Date() },
  ]);
}

/** Records tools whose sites a member visited, at most once an hour per person and tool. */
export async function recordToolSites(
  services: Services,
  actor: Actor,
  views: readonly { host: string; program: string; at: Date }[],
): Promise<void> {
  const uses = views.flatMap(({ host, ...seen }): Use[] => {
    const entry = toolOfHost(host);
    return entry ? [{ ...seen, reporter: seen.program, entry, source: 'browser' }] : [];
  });
  await recordThrottled(services, actor, uses);
}

const HOUR_MS = 3_600_000;
// The last record per person and tool, so that reports every few minutes are written once an hour.
const lastRecorded = new Map<string, number>();
const MAX_RECORDED = 100_000;

async function recordThrottled(services: Services, actor: Actor, uses: readonly Use[]): Promise<void> {
  const fresh = new Map<string, Use>();
  for (const use of uses) {
    const key = [actor.personId, use.entry.id, use.source, use.program].join('\n');
    const before = fresh.get(key)?.at.getTime() ?? lastRecorded.get(key);
    if (before === undefined || use.at.getTime() >= before + HOUR_MS) fresh.set(key, use);
  }
  if (fresh.size === 0) return;
  await services.database.withOrg(actor.orgId, (tx) =>
    recordUses(services, tx, actor, { uses: [...fresh.values()], repositories: [] }),
  );
  if (lastRecorded.size > MAX_RECORDED) lastRecorded.clear();
  for (const [key, { at }] of fresh) lastRecorded.set(key, at.getTime());
}

async function recordUses(
  services: Services,
  tx: Tx,
  actor: Actor,
  { uses, repositories }: { uses: readonly Use[]; repositories: readonly string[] },
): Promise<void> {
  const { orgId, personId } = actor;
  const before = await tx.query<{ tool_id: string; program: string; removed_at: Date | null }>({
    name: 'tools.had',
    text: `select tool_id, program, case when bool_and(removed_at is not null) then max(removed_at) end as removed_at from tool_person
           where org_id = $1 and person_id = $2 and tab = 'developer' and tool_id = any($3::text[]) group by tool_id, program`,
    values: [orgId, personId, uses.map(({ entry }) => entry.id)],
  });
  const previous = new Map(before.map(({ tool_id, program, removed_at }) => [`${tool_id}\n${program}`, removed_at]));
  const tools = await recordSightings(
    tx,
    orgId,
    uses.flatMap((use): ToolSightingInput[] => {
      const seen = { ...use, tab: 'developer' as const };
      return [{ ...seen, personId }, ...repositories.map((repositoryId) => ({ ...seen, repositoryId }))];
    }),
  );
  const started = uses.flatMap((use) => {
    const removed = previous.get(`${use.entry.id}\n${use.program}`);
    return removed === null ? [] : [{ use, removed }];
  });
  if (started.length === 0 && tools.length === 0) return;
  const person = (await loadPersonDisplays(tx, orgId, [personId]))(personId);
  const events = started.map(({ use, removed }) => ({
    use,
    event: toolStartedEvent(use, actor, person.name, removed),
  }));
  const { added } = await appendFacts(
    services,
    tx,
    orgId,
    events.map(({ event }) => event),
  );
  if (tools.length > 0) {
    const first = events.filter(({ use, event }) => added.has(event.id) && tools.some(({ id }) => id === use.entry.id));
    await raiseNotifications(services, tx, orgId, {
      actor,
      notifications: [{ type: 'tool.new', tools, events: first.map(({ event }) => event.id) }],
    });
  }
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgTools', {}));
}

/** Returns the enabled repositories of git remotes, within the actor's scope. */
async function repositoriesAt(tx: Tx, actor: Actor, remotes: readonly string[]): Promise<string[]> {
  const wanted = new Set(remotes.map((remote) => remote.toLowerCase().replace(/\.git$|\/$/g, '')));
  if (wanted.size === 0) return [];
  const paths = [...wanted].map((remote) => remote.slice(remote.indexOf('/') + 1));
  const rows = await visibleRepositories(tx, actor)
    .where('tracked', '=', true)
    .where((eb) => eb(eb.fn<string>('lower', ['full_name']), 'in', paths))
    .select(['id', 'html_url', 'full_name'])
    .execute();
  return rows
    .filter(({ html_url, full_name }) => {
      const host = URL.canParse(html_url) ? new URL(html_url).host : '';
      return wanted.has(`${host}/${full_name}`.toLowerCase());
    })
    .map(({ id }) => id);
}

/** Queues a tool scan of a repository when this transaction commits. */
export async function queueToolScan(
  services: Services,
  tx: Tx,
  orgId: string,
  { repositoryId, startAfter }: { repositoryId: string; startAfter?: Date | undefined },
): Promise<void> {
  await tx.db
    .insertInto('tool_scan')
    .values({ org_id: orgId, repository_id: repositoryId, state: 'queued' })
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'repository_id'])
        .doUpdateSet({ state: 'queued', updated_at: new Date() })
        // A running scan updates its own state.
        .where('tool_scan.state', '<>', 'running'),
    )
    .execute();
  await services.jobs.enqueue(
    tx,
    'tools.scan',
    { orgId, repositoryId },
    { key: repositoryId, ...(startAfter && { startAfter }) },
  );
}

/** Moves detections from one person to another after a merge. */
export async function moveDetections(
  { tx, orgId }: Publication,
  { from, into }: { from: string; into: string },
): Promise<void> {
  await sql`update tool_detection set person_id = ${into} where org_id = ${orgId} and person_id = ${from}`.execute(
    tx.db,
  );
  await sql`update tool_detection set changed_person = ${into} where org_id = ${orgId} and changed_person = ${from}`.execute(
    tx.db,
  );
}
