import type {
  importFramework,
  MappingVersion,
  updateFrameworkMapping,
  updateFrameworkRequirement,
} from '@sightline/contract/compliance/frameworks.ts';
import type { z } from 'zod';
import { findActiveRole } from '#core/active-role.ts';
import type { Actor } from '#core/actor.ts';
import { type AuditEntry, recordAuditEntry } from '#core/audit.ts';
import { Conflict, Forbidden, Invalid, NotFound } from '#core/errors.ts';
import { sha256 } from '#core/hmac.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { requireCurrentPermission } from '../../organization/members/queries.ts';
import { type FrameworkDefinition, mappingHash } from './definition.ts';
import { readOscal } from './oscal-import.ts';
import { findDefinition, mappingVersionOf } from './queries.ts';

/** Maximum number of imported frameworks of an organization. */
const MAX_FRAMEWORKS = 20;

/** Imports an OSCAL profile or catalog. Throws 400 for an invalid one, and 409 for a used name or too many frameworks. */
export function importProfile(
  services: Services,
  given: Actor,
  { name, document }: z.output<typeof importFramework.body>,
): Promise<{ id: string; requirements: number }> {
  const { orgId } = given;
  const { source, requirements } = readOscal(document);
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, 'create:evidence');
    await lockFrameworks(tx, orgId);
    const names = await tx.db
      .selectFrom('framework')
      .select('name')
      .where('org_id', '=', orgId)
      .where('removed_at', 'is', null)
      .execute();
    if (names.length >= MAX_FRAMEWORKS)
      throw Conflict(`An organization has at most ${MAX_FRAMEWORKS} imported frameworks. Remove one first.`);
    if (names.some((one) => one.name.toLowerCase() === name.toLowerCase())) {
      throw Conflict('Another framework has this name. Choose another name.');
    }
    const id = newId();
    const hash = sha256(document);
    await tx.db
      .insertInto('framework')
      .values({
        org_id: orgId,
        id,
        name,
        source,
        requirements: JSON.stringify(requirements),
        document_sha256: hash,
        imported_by: actor.accountId,
      })
      .execute();
    const data = { name, source, requirements: requirements.length, document: hash.toString('hex') };
    await record(services, tx, actor, { action: 'framework.imported', subject: { kind: 'framework', id }, data });
    return { id, requirements: requirements.length };
  });
}

/** Removes an imported framework. Throws 404, also for a framework of the release. */
export function removeImported(services: Services, given: Actor, id: string): Promise<null> {
  const { orgId } = given;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, 'create:evidence');
    const definition = await findImported(tx, orgId, id);
    await tx.db
      .updateTable('framework')
      .set({ removed_at: new Date() })
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .execute();
    await record(services, tx, actor, entryOf('framework.removed', definition));
    return null;
  });
}

/** Sets owner, due date and notes of a requirement. Throws 404 for an unknown one, and 400 for an owner who is no active member. */
export function updateRequirement(
  services: Services,
  given: Actor,
  { frameworkId, requirementId }: { frameworkId: string; requirementId: string },
  { ownerId, dueOn, notes }: z.output<typeof updateFrameworkRequirement.body>,
): Promise<null> {
  const { orgId } = given;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, 'create:evidence');
    const definition = await findDefinition(tx, orgId, frameworkId);
    if (!definition.requirements.some(({ id }) => id === requirementId)) throw NotFound('Requirement');
    if (ownerId !== null) await requireActiveMember(tx, orgId, ownerId);
    const of = { org_id: orgId, framework_id: frameworkId, requirement_id: requirementId };
    const before = await tx.db
      .selectFrom('framework_requirement')
      .select(['owner_id', (eb) => eb.cast<string | null>('due_on', 'text').as('due_on'), 'notes'])
      .where((eb) => eb.and(of))
      .forUpdate()
      .executeTakeFirst();
    const values = { owner_id: ownerId, due_on: dueOn, notes };
    await tx.db
      .insertInto('framework_requirement')
      .values({ ...of, ...values })
      .onConflict((conflict) => conflict.columns(['org_id', 'framework_id', 'requirement_id']).doUpdateSet(values))
      .execute();
    await record(services, tx, actor, {
      ...entryOf('framework.requirement_updated', definition),
      data: {
        name: definition.name,
        requirement: requirementId,
        before: { owner: before?.owner_id ?? null, dueOn: before?.due_on ?? null },
        after: { owner: ownerId, dueOn },
      },
      // Notes may name persons.
      personal: { before: { notes: before?.notes ?? '' }, after: { notes } },
    });
    return null;
  });
}

/** Adds a version of the mappings of an imported framework. Throws 409 if another version was added in the meantime. */
export function changeMapping(
  services: Services,
  given: Actor,
  id: string,
  { version: basedOn, mappings }: z.output<typeof updateFrameworkMapping.body>,
): Promise<MappingVersion> {
  const { orgId } = given;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, 'create:evidence');
    await lockFrameworks(tx, orgId);
    const definition = await findImported(tx, orgId, id);
    if (definition.version !== basedOn)
      throw Conflict('The mappings were changed in the meantime. Reload them, then change them.');
    requireMappable(definition, mappings);
    const version = basedOn + 1;
    const changed = withMappings(definition, mappings);
    const hash = mappingHash(changed);
    const entryId = await record(services, tx, actor, {
      ...entryOf('framework.mapping_changed', definition),
      data: {
        name: definition.name,
        version,
        sha256: hash.toString('hex'),
        mappings: mappings.map(({ requirement, control }) => `${requirement} ${control}`),
      },
    });
    const row = { framework_id: id, version, sha256: hash, changed_by: actor.accountId, entry_id: entryId };
    await tx.db
      .insertInto('framework_mapping')
      .values({ org_id: orgId, ...row, mappings: JSON.stringify(mappings) })
      .execute();
    return mappingVersionOf(tx, orgId, await findDefinition(tx, orgId, id));
  });
}

/**
 * Approves the current mappings of a framework. Throws 403 for the author of the last change, and 409 if the mappings
 * differ from those that the approver saw, are approved, or an imported framework has none.
 */
export function approveMapping(services: Services, given: Actor, id: string, seen: string): Promise<MappingVersion> {
  const { orgId } = given;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, 'create:evidence');
    await lockFrameworks(tx, orgId);
    const definition = await findDefinition(tx, orgId, id);
    const hash = mappingHash(definition);
    if (definition.version === 0) throw Conflict('The framework has no mappings yet. Map its requirements first.');
    if (hash.toString('hex') !== seen)
      throw Conflict('The mappings were changed in the meantime. Check them, then approve them.');
    if (definition.changed?.by === actor.accountId)
      throw Forbidden('You changed these mappings. Another member must approve them.');
    const current = await mappingVersionOf(tx, orgId, definition);
    if (current.approved) throw Conflict('These mappings are approved already.');
    const entryId = await record(services, tx, actor, {
      ...entryOf('framework.mapping_approved', definition),
      data: { name: definition.name, version: definition.version, sha256: seen },
    });
    await tx.db
      .insertInto('framework_approval')
      .values({ org_id: orgId, framework_id: id, sha256: hash, approved_by: actor.accountId, entry_id: entryId })
      .execute();
    return mappingVersionOf(tx, orgId, definition);
  });
}

const entryOf = (action: AuditEntry['action'], { id, name }: FrameworkDefinition): AuditEntry => ({
  action,
  subject: { kind: 'framework', id },
  data: { name },
});

function record(services: Services, tx: Tx, actor: Actor, entry: AuditEntry): Promise<string> {
  tx.afterCommit(() => services.realtime.notifyOrganization(actor.orgId, 'orgEvidence', {}));
  return recordAuditEntry(tx, { people: services.people, orgId: actor.orgId, actor, entry });
}

/** Changes of frameworks of an organization run one at a time. */
const lockFrameworks = (tx: Tx, orgId: string) =>
  tx.query({
    name: 'frameworks.lock',
    text: `select pg_advisory_xact_lock(hashtextextended('frameworks ' || $1, 0))`,
    values: [orgId],
  });

async function findImported(tx: Tx, orgId: string, id: string): Promise<FrameworkDefinition> {
  const definition = await findDefinition(tx, orgId, id);
  if (definition.kind !== 'imported') throw NotFound('Imported framework');
  return definition;
}

async function requireActiveMember(tx: Tx, orgId: string, accountId: string): Promise<void> {
  if (!(await findActiveRole(tx, orgId, accountId))) throw Invalid('ownerId', 'must be an active member');
}

type Mappings = z.output<typeof updateFrameworkMapping.body>['mappings'];

function requireMappable({ requirements }: FrameworkDefinition, mappings: Mappings): void {
  const known = new Set(requirements.map(({ id }) => id));
  const seen = new Set<string>();
  for (const { requirement, control } of mappings) {
    if (!known.has(requirement))
      throw Invalid('mappings', `must name requirements of the framework, not ${requirement}`);
    const pair = `${requirement} ${control}`;
    if (seen.has(pair)) throw Invalid('mappings', `must map ${requirement} to ${control} once`);
    seen.add(pair);
  }
}

const withMappings = (definition: FrameworkDefinition, mappings: Mappings): FrameworkDefinition => ({
  ...definition,
  requirements: definition.requirements.map((requirement) => ({
    ...requirement,
    controls: mappings
      .filter((mapping) => mapping.requirement === requirement.id)
      .map(({ control, rationale }) => ({ id: control, rationale })),
  })),
});
