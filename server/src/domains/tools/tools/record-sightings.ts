import type { ToolSource, ToolTab } from '@sightline/contract/tools/tools.ts';
import type { Tx } from '#database/database.ts';
import type { ToolEntry } from './catalog/entry.ts';
import type { DetectedConfiguration } from './detect/detection.ts';
import { recordDailySightings, recordRepositorySightings } from './sightings.ts';

/** A sighting of a tool: in a repository, with a person, or both. */
export interface ToolSightingInput {
  tab: ToolTab;
  /** The description of the tool; its ID is the ID of the tool. */
  entry: Pick<ToolEntry, 'id' | 'name' | 'vendor' | 'icon' | 'kind' | 'categories'>;
  repositoryId?: string;
  personId?: string;
  source: ToolSource;
  /** The editor or browser of the tool. */
  program?: string;
  /** The extension installation that reported it. */
  deviceId?: string;
  version?: string | null;
  /** Of an MCP server that an editor reports. */
  configuration?: DetectedConfiguration;
  /** When the tool was first known; defaults to `at`. */
  since?: Date;
  /** Time of the sighting. */
  at: Date;
}

/** Placeholder for no device. */
export const NO_DEVICE_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Adds sightings of scans and extensions to the totals per tool, repository and person that the inventory reads. Restores removed tools.
 * Idempotent. Returns the tools that are new in the organization.
 */
export async function recordSightings(
  tx: Tx,
  orgId: string,
  sightings: readonly ToolSightingInput[],
): Promise<NewTool[]> {
  if (sightings.length === 0) return [];
  const values = [orgId, JSON.stringify(sightings.map(rowOf)).replaceAll('\\u0000', '\\ufffd')];
  const upserted = await tx.query<NewTool & { fresh: boolean }>({ name: 'tools.note', text: toolsSql, values });
  await tx.query({ name: 'tools.note.repositories', text: repositoriesSql, values });
  await tx.query({ name: 'tools.note.people', text: peopleSql, values });
  await recordDailySightings(tx, orgId, sightings.flatMap(holdersOf));
  return upserted.filter(({ fresh }) => fresh).map(({ id, name }) => ({ id, name }));
}

/** Returns the holders of a tool. A person who added a tool to a repository need not use it. */
function holdersOf({ entry, tab, repositoryId, personId, version = null, at }: ToolSightingInput) {
  const seen = { tab, toolId: entry.id, version, at };
  return [
    ...(repositoryId === undefined ? [] : [{ ...seen, holder: 'repository' as const, holderId: repositoryId }]),
    ...(personId === undefined || tab !== 'developer'
      ? []
      : [{ ...seen, holder: 'person' as const, holderId: personId }]),
  ];
}

interface NewTool {
  id: string;
  name: string;
}

/** Updates the totals after a scan: detected tools were seen again; tools without detections are removed. */
export async function updateRepositoryTotals(tx: Tx, orgId: string, repositoryId: string, at: Date): Promise<void> {
  const values = [orgId, repositoryId, at];
  await tx.query({ name: 'tools.settle.repository', text: updateRepositoryToolsSql, values });
  await tx.query({ name: 'tools.settle.tools', text: updateToolsSql, values });
  await tx.query({ name: 'tools.settle.people', text: updatePeopleSql, values });
  await recordRepositorySightings(tx, orgId, repositoryId, at);
}

const updateRepositoryToolsSql = `
  with named as (
    select tool_id, source, bool_or(removed_at is null) as living from tool_detection
    where org_id = $1 and repository_id = $2 group by tool_id, source
  )
  update tool_repository t
  set last_seen = case when n.living then greatest(t.last_seen, $3) else t.last_seen end,
    removed_at = case when n.living then null else coalesce(t.removed_at, $3) end
  from named n
  where t.org_id = $1 and t.repository_id = $2 and t.tab = 'ci/cd' and t.tool_id = n.tool_id and t.source = n.source
    and (n.living or t.removed_at is null)`;

const updateToolsSql = `
  with living as (
    select distinct tool_id from tool_detection where org_id = $1 and repository_id = $2 and removed_at is null
  ), locked as (
    select t.id from tool t join living l on l.tool_id = t.id where t.org_id = $1 and t.tab = 'ci/cd'
    order by t.id for update of t
  )
  update tool t set last_seen = greatest(t.last_seen, $3)
  from locked where t.org_id = $1 and t.tab = 'ci/cd' and t.id = locked.id`;

// The person who added a tool is listed while a line of theirs exists in any repository.
const updatePeopleSql = `
  update tool_person t set removed_at = $3
  from (select distinct tool_id, person_id from tool_detection
        where org_id = $1 and repository_id = $2 and removed_at is not null and person_id is not null) d
  where t.org_id = $1 and t.tab = 'ci/cd' and t.tool_id = d.tool_id and t.person_id = d.person_id and t.removed_at is null
    and not exists (
      select from tool_detection l
      where l.org_id = $1 and l.tool_id = t.tool_id and l.person_id = t.person_id and l.source = t.source and l.removed_at is null)`;

const rowOf = ({ entry, tab, source, ...sighting }: ToolSightingInput) => ({
  tab,
  tool: entry.id,
  name: entry.name,
  vendor: entry.vendor,
  icon: entry.icon,
  kind: entry.kind,
  categories: entry.categories,
  repository: sighting.repositoryId ?? null,
  person: sighting.personId ?? null,
  source,
  program: sighting.program ?? '',
  device: sighting.deviceId ?? NO_DEVICE_ID,
  version: sighting.version || null,
  since: sighting.since ?? sighting.at,
  at: sighting.at,
  configuration: sighting.configuration ?? null,
});

const input = `
  with input as (
    select * from jsonb_to_recordset($2::jsonb) as x(
      tab text, tool text, name text, vendor text, icon text, kind text, categories jsonb, repository uuid, person uuid,
      source text, program text, device uuid, version text, since timestamptz, at timestamptz, configuration jsonb)
  )`;

// Rows are written in key order to avoid deadlocks.
const toolsSql = `${input}
  insert into tool as t (org_id, tab, id, name, vendor, icon, kind, categories, version, sources, first_seen, last_seen)
  select $1, tab, tool, (array_agg(name order by at desc))[1], (array_agg(vendor order by at desc))[1],
    (array_agg(icon order by at desc))[1], (array_agg(kind order by at desc))[1],
    array(select jsonb_array_elements_text((array_agg(categories order by at desc))[1])),
    (array_agg(version order by at desc, (substring(version from '[0-9]+'))::numeric desc nulls last, version desc)
      filter (where version is not null))[1],
    array_agg(distinct source order by source), min(since), max(at)
  from input group by tab, tool order by tab, tool
  on conflict (org_id, tab, id) do update set
    name = excluded.name, vendor = excluded.vendor, icon = excluded.icon, kind = excluded.kind,
    categories = excluded.categories,
    version = case when excluded.last_seen >= t.last_seen then coalesce(excluded.version, t.version) else t.version end,
    sources = array(select distinct s from unnest(t.sources || excluded.sources) as s order by s),
    first_seen = least(t.first_seen, excluded.first_seen), last_seen = greatest(t.last_seen, excluded.last_seen)
  returning id, name, xmax = 0 as fresh`;

const repositoriesSql = `${input}
  insert into tool_repository as t (org_id, tab, tool_id, repository_id, source, first_seen, last_seen)
  select $1, tab, tool, repository, source, min(since), max(at)
  from input where repository is not null
  group by tab, tool, repository, source order by tab, tool, repository, source
  on conflict (org_id, tab, tool_id, repository_id, source) do update set
    first_seen = least(t.first_seen, excluded.first_seen), last_seen = greatest(t.last_seen, excluded.last_seen),
    removed_at = null`;

const peopleSql = `${input}
  insert into tool_person as t (org_id, tab, tool_id, person_id, source, program, device_id, version, first_seen, last_seen, configuration,
    changed_at)
  select $1, tab, tool, person, source, program, device,
    (array_agg(version order by at desc, version desc) filter (where version is not null))[1], min(since), max(at),
    (array_agg(configuration order by at desc) filter (where jsonb_typeof(configuration) = 'object'))[1],
    max(at) filter (where jsonb_typeof(configuration) = 'object')
  from input where person is not null
  group by tab, tool, person, source, program, device order by tab, tool, person, source, program, device
  on conflict (org_id, tab, tool_id, person_id, source, program, device_id) do update set
    version = case when excluded.last_seen >= t.last_seen then coalesce(excluded.version, t.version) else t.version end,
    first_seen = least(t.first_seen, excluded.first_seen), last_seen = greatest(t.last_seen, excluded.last_seen),
    removed_at = null,
    changed_at = case when excluded.configuration is distinct from t.configuration then coalesce(excluded.changed_at, t.changed_at) else t.changed_at end,
    configuration = coalesce(excluded.configuration, t.configuration)`;
