import type { FrameworkDetails, FrameworkSummary, MappingVersion } from '@sightline/contract/compliance/frameworks.ts';
import { controlIds } from '@sightline/contract/core/control-ids.ts';
import { z } from 'zod';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { controlOf } from '../controls/catalog.ts';
import { latestRuns, listDailyStatuses } from '../controls/queries.ts';
import { builtInFramework, builtInFrameworks, type FrameworkDefinition, mappingHash } from './definition.ts';
import { importedFrameworks } from './imported.ts';
import { periodOf } from './period.ts';
import { historyOf, intervalsOf } from './status-history.ts';

/** Lists the frameworks of the release, and the imported ones by name. */
export async function listSummaries(tx: Tx, orgId: string): Promise<FrameworkSummary[]> {
  const definitions = [...builtInFrameworks(), ...(await importedFrameworks(tx, orgId, null))];
  const show = await versionsOf(tx, orgId, definitions);
  return definitions.map((definition) => summaryOf(definition, show(definition)));
}

/** Finds a framework with its current mappings. Throws 404. */
export async function findDefinition(tx: Tx, orgId: string, id: string): Promise<FrameworkDefinition> {
  const builtIn = builtInFramework(id);
  if (builtIn) return builtIn;
  const [imported] = z.uuid().safeParse(id).success ? await importedFrameworks(tx, orgId, id) : [];
  if (!imported) throw NotFound('Framework');
  return imported;
}

/** Returns the current version of the mappings of a framework. */
export async function mappingVersionOf(
  tx: Tx,
  orgId: string,
  definition: FrameworkDefinition,
): Promise<MappingVersion> {
  return (await versionsOf(tx, orgId, [definition]))(definition);
}

/** Returns a framework with the status of its controls in a period. Throws 404. */
export async function findFramework(
  tx: Tx,
  orgId: string,
  id: string,
  text: string | undefined,
): Promise<FrameworkDetails> {
  const definition = await findDefinition(tx, orgId, id);
  const period = periodOf(text);
  const intervals = intervalsOf(period, new Date());
  const mapped = new Set(definition.requirements.flatMap(({ controls }) => controls.map((control) => control.id)));
  const ids = controlIds.filter((control) => mapped.has(control));
  const days = Map.groupBy(await listDailyStatuses(tx, orgId, period, ids), ({ control }) => control);
  const runs = await latestRuns(tx, orgId, period);
  const details = await listDetails(tx, orgId, id);
  return {
    ...summaryOf(definition, await mappingVersionOf(tx, orgId, definition)),
    identifiers: definition.identifiers,
    hasPublishedTitles: definition.hasPublishedTitles,
    period,
    intervals,
    controls: ids.map((control) => ({
      id: control,
      title: controlOf(control).title,
      status: runs.get(control)?.status ?? 'not_evaluated',
      history: historyOf(days.get(control) ?? [], intervals),
    })),
    rows: definition.requirements.map((requirement) => ({
      ...requirement,
      ...(details.get(requirement.id) ?? { owner: null, dueOn: null, notes: '' }),
    })),
  };
}

const summaryOf = (
  { id, name, kind, source, requirements }: FrameworkDefinition,
  mapping: MappingVersion,
): FrameworkSummary => ({
  id,
  name,
  kind,
  source,
  requirements: requirements.length,
  covered: requirements.filter(({ controls }) => controls.length > 0).length,
  mapping,
});

/** Reads the approvals and authors of the current mappings of frameworks at once. */
async function versionsOf(
  tx: Tx,
  orgId: string,
  definitions: readonly FrameworkDefinition[],
): Promise<(definition: FrameworkDefinition) => MappingVersion> {
  const approvals = await tx.query<{ id: string; sha256: string; at: Date; by: string; name: string | null }>({
    name: 'frameworks.approvals',
    text: `select p.framework_id as id, encode(p.sha256, 'hex') as sha256, p.approved_at as at, p.approved_by as by, a.name
           from unnest($2::text[], $3::bytea[]) as wanted(framework_id, sha256)
           join framework_approval p on p.org_id = $1 and p.framework_id = wanted.framework_id and p.sha256 = wanted.sha256
           left join account a on a.id = p.approved_by`,
    values: [orgId, definitions.map(({ id }) => id), definitions.map(mappingHash)],
  });
  const authors = await tx.query<{ id: string; name: string | null }>({
    name: 'frameworks.authors',
    text: 'select id, name from account where id = any($1::uuid[])',
    values: [definitions.flatMap(({ changed }) => changed?.by ?? [])],
  });
  const names = new Map(authors.map(({ id, name }) => [id, name ?? '']));
  return (definition) => {
    const { id, version, changed } = definition;
    const approval = approvals.find((one) => one.id === id);
    return {
      version,
      sha256: mappingHash(definition).toString('hex'),
      changed: changed && { at: changed.at.toISOString(), by: { id: changed.by, name: names.get(changed.by) ?? '' } },
      approved: approval ? { at: approval.at.toISOString(), by: { id: approval.by, name: approval.name ?? '' } } : null,
    };
  };
}

type RequirementDetails = Pick<FrameworkDetails['rows'][number], 'owner' | 'dueOn' | 'notes'>;

async function listDetails(tx: Tx, orgId: string, id: string): Promise<ReadonlyMap<string, RequirementDetails>> {
  const rows = await tx.query<{
    requirement: string;
    ownerId: string | null;
    ownerName: string | null;
    dueOn: string | null;
    notes: string;
  }>({
    name: 'frameworks.details',
    text: `select q.requirement_id as requirement, q.owner_id as "ownerId", a.name as "ownerName", to_char(q.due_on, 'YYYY-MM-DD') as "dueOn", q.notes
           from framework_requirement q left join account a on a.id = q.owner_id where q.org_id = $1 and q.framework_id = $2`,
    values: [orgId, id],
  });
  return new Map(
    rows.map(({ requirement, ownerId, ownerName, dueOn, notes }) => [
      requirement,
      { owner: ownerId === null ? null : { id: ownerId, name: ownerName ?? '' }, dueOn, notes },
    ]),
  );
}
