import { isArchived } from '#core/archived.ts';
import { Archived } from '#core/errors.ts';
import { factId } from '#core/ids.ts';
import type { PersonClaim } from '#core/people.ts';
import type { Tx } from '#database/database.ts';
import type { HostBlame } from '../../../../providers/host-facts.ts';
import { raiseNotifications } from '../../../delivery/notifications/commands.ts';
import { appendFacts } from '../../../timeline/events/commands.ts';
import { DETECTOR_VERSION } from '../detect/detect.ts';
import type { Detection } from '../detect/detection.ts';
import { recordSightings, type ToolSightingInput } from '../record-sightings.ts';
import type { DetectionWithId } from './detection-id.ts';
import { toolAddedEvent, toolRemovedEvent } from './event.ts';
import { type LineOrigin, lineOriginInBlame, lineOriginsFromHistory } from './origin.ts';
import type { ScannedRepository } from './scene.ts';

/** A file that was read; `blob` is null for a deleted file. */
export interface ScannedFile {
  path: string;
  blob: string | null;
  detections: readonly Detection[];
}

/** Assigns IDs to the detections of a file. */
export function assignDetectionIds(repositoryId: string, { path, detections }: ScannedFile): DetectionWithId[] {
  const seen = new Map<string, number>();
  return detections.map((detection) => {
    const count = (seen.get(detection.tool.id) ?? 0) + 1;
    seen.set(detection.tool.id, count);
    return { ...detection, path, id: factId('tool', repositoryId, path, detection.tool.id, count) };
  });
}

/** Returns the IDs that are new or were removed before. */
export async function newDetectionIds(
  tx: Tx,
  { orgId }: ScannedRepository,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>({
    name: 'tools.known',
    text: 'select id from tool_detection where org_id = $1 and id = any($2::uuid[]) and removed_at is null',
    values: [orgId, [...ids]],
  });
  const known = new Set(rows.map(({ id }) => id));
  return new Set(ids.filter((id) => !known.has(id)));
}

export interface FileScanResult {
  head: string;
  at: Date;
  files: readonly ScannedFile[];
  blame: ReadonlyMap<string, HostBlame[]>;
  /** The last change of each agent configuration file, as far as known. */
  changes: ReadonlyMap<string, LineOrigin>;
}

/**
 * Stores the detections of files with their origins, updates events and counts, and marks the files as read.
 * Idempotent.
 */
export async function storeScannedFiles(
  tx: Tx,
  scene: ScannedRepository,
  { head, at, files, blame, changes }: FileScanResult,
): Promise<void> {
  const { orgId, repositoryId, services } = scene;
  if (await isArchived(tx, orgId)) throw Archived();
  const all = files.flatMap((file) => assignDetectionIds(repositoryId, file));
  const fresh = await newDetectionIds(
    tx,
    scene,
    all.map(({ id }) => id),
  );
  const untraced = all.filter(({ id, path, line }) => fresh.has(id) && !lineOriginInBlame(blame.get(path), line));
  const history = await lineOriginsFromHistory(tx, scene, [...new Set(untraced.map(({ path }) => path))]);
  const origins = new Map(
    all.flatMap(({ id, path, line }): [string, LineOrigin][] => {
      const unknownOrigin: LineOrigin = { commit: head, author: null, at, confidence: 'inferred' };
      return fresh.has(id)
        ? [[id, lineOriginInBlame(blame.get(path), line) ?? history.get(path) ?? unknownOrigin]]
        : [];
    }),
  );
  const persons = await personsOf(tx, scene, origins);
  const removedAt = await lastRemovals(tx, scene, [...new Set(all.map(({ tool }) => tool.id))]);
  const changers = await personsOf(tx, scene, changes);
  const rows = all.map((one) => ({
    ...rowOf(one, origins.get(one.id), persons.get(one.id) ?? null),
    ...(one.configuration && changeOf(changes.get(one.path), changers.get(one.path))),
  }));
  await tx.query({
    name: 'tools.detections',
    text: detectionsSql,
    values: [orgId, repositoryId, JSON.stringify(rows).replaceAll('\\u0000', '\\ufffd'), at],
  });
  await tx.query({
    name: 'tools.detections.gone',
    text: `update tool_detection set removed_at = $4 where org_id = $1 and repository_id = $2 and path = any($3::text[])
           and id <> all($5::uuid[]) and removed_at is null`,
    values: [orgId, repositoryId, files.map(({ path }) => path), at, all.map(({ id }) => id)],
  });
  const tools = await recordSightings(
    tx,
    orgId,
    all.flatMap((one) =>
      sightingsOf(one, { repositoryId, origin: origins.get(one.id), personId: persons.get(one.id), at }),
    ),
  );
  const events = all.flatMap((one) => {
    const origin = origins.get(one.id);
    return origin ? [{ one, origin, person: persons.get(one.id) ?? null, gone: removedAt.get(one.tool.id) }] : [];
  });
  const [...first] = Map.groupBy(events, ({ one }) => one.tool.id).values();
  const additions = first.flatMap((same) => {
    const [earliest] = same.toSorted((one, other) => one.origin.at.getTime() - other.origin.at.getTime());
    return earliest ? [{ tool: earliest.one.tool.id, event: toolAddedEvent(scene, earliest) }] : [];
  });
  const { added } = await appendFacts(
    services,
    tx,
    orgId,
    additions.map(({ event }) => event),
  );
  if (tools.length > 0) {
    const fresh = additions.filter(({ tool, event }) => added.has(event.id) && tools.some(({ id }) => id === tool));
    const notification = { type: 'tool.new', tools, events: fresh.map(({ event }) => event.id) } as const;
    await raiseNotifications(services, tx, orgId, { actor: { clock: true }, notifications: [notification] });
  }
  await tx.query({
    name: 'tools.scan.files',
    text: `update tool_scan set files = (case when rules = $5 then files else '{}' end || $3::jsonb) - $4::text[],
             rules = $5, updated_at = now() where org_id = $1 and repository_id = $2`,
    values: [
      ...[orgId, repositoryId],
      JSON.stringify(Object.fromEntries(files.flatMap(({ path, blob }) => (blob === null ? [] : [[path, blob]])))),
      files.filter(({ blob }) => blob === null).map(({ path }) => path),
      DETECTOR_VERSION,
    ],
  });
}

/** Returns when the repository stopped referencing tools that it does not currently reference. */
async function lastRemovals(
  tx: Tx,
  { orgId, repositoryId }: ScannedRepository,
  ids: readonly string[],
): Promise<Map<string, Date>> {
  const rows = await tx.query<{ tool_id: string; removed_at: Date }>({
    name: 'tools.returned',
    text: `select tool_id, max(removed_at) as removed_at from tool_repository where org_id = $1 and repository_id = $2
             and tab = 'ci/cd' and tool_id = any($3::text[]) group by tool_id having bool_and(removed_at is not null)`,
    values: [orgId, repositoryId, [...ids]],
  });
  return new Map(rows.map(({ tool_id, removed_at }) => [tool_id, removed_at]));
}

/**
 * Adds timeline events for tools that the repository no longer references since `at`. Call it after the counts are
 * updated.
 */
export async function recordRemovedTools(tx: Tx, scene: ScannedRepository, commit: string, at: Date): Promise<void> {
  const { services, orgId, repositoryId } = scene;
  const removed = await tx.query<{ id: string; name: string; icon: string | null }>({
    name: 'tools.removed',
    text: `select id, name, icon from tool where org_id = $1 and tab = 'ci/cd' and id in (
             select tool_id from tool_repository where org_id = $1 and repository_id = $2 and tab = 'ci/cd'
             group by tool_id having bool_and(removed_at is not null) and max(removed_at) = $3) order by id`,
    values: [orgId, repositoryId, at],
  });
  await appendFacts(
    services,
    tx,
    orgId,
    removed.map((tool) => toolRemovedEvent(scene, tool, { commit, at })),
  );
}

/** Returns the author of each commit, by the same key. */
async function personsOf(
  tx: Tx,
  scene: ScannedRepository,
  origins: ReadonlyMap<string, LineOrigin>,
): Promise<Map<string, string>> {
  const authored = [...origins].flatMap(([id, { author }]) => (author ? [{ id, author }] : []));
  const claims = authored.map(({ author }): PersonClaim => {
    const { name, email, login, hostId } = author;
    // The same names as for imported commits, so that they resolve to the same person.
    const names: PersonClaim['names'] = [
      ...(login === null ? [] : [{ kind: 'github' as const, value: login, hostId }]),
      ...(email === '' && login !== null ? [] : [{ kind: 'email' as const, value: email || `${name}@unknown` }]),
    ];
    return { names, display: name, picture: author.avatarUrl, source: scene.provider };
  });
  const persons = await scene.services.people.resolve(tx, scene.orgId, claims);
  return new Map(authored.map(({ id }, index) => [id, persons[index] ?? '']));
}

const rowOf = (
  { id, tool, path, line, text, version, source, configuration }: DetectionWithId,
  origin: LineOrigin | undefined,
  person: string | null,
) => ({
  id,
  tool: tool.id,
  source,
  path,
  line,
  text,
  version,
  person,
  commit: origin?.commit,
  author: origin?.author?.name,
  confidence: origin?.confidence,
  since: origin?.at,
  configuration,
});

const changeOf = (change: LineOrigin | undefined, person: string | undefined) => ({
  changedSha: change?.commit,
  changedBy: change?.author?.name,
  changedPerson: person === '' ? undefined : person,
  changedAt: change?.at,
});

const detectionsSql = `
  insert into tool_detection as d (org_id, id, repository_id, tool_id, source, path, line, text, version, commit_sha,
    added_by, person_id, confidence, first_seen, last_seen, configuration, changed_sha, changed_by, changed_person, changed_at)
  select $1, id, $2, tool, source, path, line, text, version, coalesce("commit", ''), author, person,
    coalesce(confidence, 'inferred'), coalesce(since, $4), $4, configuration, "changedSha", "changedBy", "changedPerson", "changedAt"
  from jsonb_to_recordset($3::jsonb) as x(id uuid, tool text, source text, path text, line int, text text, version text,
    "commit" text, author text, person uuid, confidence text, since timestamptz, configuration jsonb, "changedSha" text,
    "changedBy" text, "changedPerson" uuid, "changedAt" timestamptz)
  order by id
  on conflict (org_id, id) do update set
    line = excluded.line, text = excluded.text, version = excluded.version, source = excluded.source,
    last_seen = excluded.last_seen, removed_at = null, configuration = excluded.configuration,
    changed_sha = coalesce(excluded.changed_sha, d.changed_sha), changed_by = coalesce(excluded.changed_by, d.changed_by),
    changed_person = coalesce(excluded.changed_person, d.changed_person), changed_at = coalesce(excluded.changed_at, d.changed_at)`;

/** Creates a sighting with the repository, and one with the person who added the tool. */
function sightingsOf(
  { tool: entry, source, version }: DetectionWithId,
  {
    repositoryId,
    origin,
    personId,
    at,
  }: { repositoryId: string; origin: LineOrigin | undefined; personId: string | undefined; at: Date },
): ToolSightingInput[] {
  const tab = 'ci/cd';
  const repositorySighting: ToolSightingInput = {
    tab,
    entry,
    repositoryId,
    source,
    version,
    at,
    ...(origin && { since: origin.at }),
  };
  return origin && personId !== undefined
    ? [repositorySighting, { tab, entry, personId, source, version, at: origin.at }]
    : [repositorySighting];
}
