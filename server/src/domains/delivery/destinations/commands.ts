import { SECRET_OVERLAP_HOURS } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { type RecordChange, recordAuditEntry } from '#core/audit.ts';
import { Conflict } from '#core/errors.ts';
import type { JobName } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import { requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import { newSigningSecret } from '#core/standard-webhooks.ts';
import type { Tx } from '#database/database.ts';
import { type DestinationType, rowsOf, secretLocation } from './queries.ts';

/** A change by a member, with its audit entry in the same transaction. Throws 403 for a member who may not make it. */
export const changeDestination = <Result>(
  services: Services,
  actor: Actor,
  type: DestinationType,
  change: (tx: Tx, recordChange: RecordChange) => Promise<Result>,
): Promise<Result> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    if (type.ownersOnly) await requireOwner(tx, actor);
    return change(tx, async (id, action, data) => {
      await recordAuditEntry(tx, {
        people: services.people,
        orgId: actor.orgId,
        actor,
        entry: { action, subject: { kind: type.subject, id }, data },
      });
      tx.afterCommit(() => type.announce(services, actor.orgId, id));
    });
  });

/** Throws `conflict` if the organization has as many destinations as it may have. */
export async function requireCapacity(
  { db }: Tx,
  orgId: string,
  { table, max, plural }: DestinationType,
): Promise<void> {
  const { count } = await db
    .selectFrom(rowsOf(table))
    .where('org_id', '=', orgId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= max) throw Conflict(`The limit of ${max} ${plural} is reached. Delete unused ones.`);
}

export const sealSecret = (
  { secrets }: Services,
  type: DestinationType,
  { orgId, id }: { orgId: string; id: string },
  secret: string,
): Buffer => secrets.seal(secretLocation(type, orgId, id), Buffer.from(secret));

/** Replaces the signing secret of a destination that rotates. The previous secret also signs for a day. */
export async function rotateSigningSecret(
  services: Services,
  { db }: Tx,
  type: DestinationType,
  { orgId, id }: { orgId: string; id: string },
): Promise<string> {
  const secret = newSigningSecret();
  await db
    .updateTable(rowsOf(type.table))
    .set({
      secret_sealed: sealSecret(services, type, { orgId, id }, secret),
      previous_secret_sealed: sql.ref('secret_sealed'),
      previous_until: sql<Date>`now() + make_interval(hours => ${SECRET_OVERLAP_HOURS})`,
    })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
  return secret;
}

/** Deletes a destination with its deliveries. */
export async function deleteDestination(
  { db }: Tx,
  { table }: DestinationType,
  orgId: string,
  id: string,
): Promise<void> {
  await db.deleteFrom(rowsOf(table)).where('org_id', '=', orgId).where('id', '=', id).execute();
}

export interface DueDestinations {
  /** SQL that lists the IDs of the due deliveries of the organization `$1`. */
  due: { name: string; text: string };
  enqueue: (tx: Tx, orgId: string, id: string) => Promise<unknown>;
}

interface Sweep extends DueDestinations {
  job: JobName;
  /** SQL that lists the organizations with due deliveries, each as `id`. */
  organizations: string;
}

/** Queues the due deliveries of every organization, such as those of a process that crashed. */
export const sweepDue = (services: Services, { job, organizations, ...dueDestinations }: Sweep): Promise<void> =>
  forEachOrganization(services, { job, organizations }, (orgId) =>
    services.database.withOrg(orgId, (tx) => enqueueDue(tx, orgId, dueDestinations)),
  );

/** Queues the due deliveries of one organization. */
export async function enqueueDue(tx: Tx, orgId: string, { due, enqueue }: DueDestinations): Promise<void> {
  for (const { id } of await tx.query<{ id: string }>({ ...due, values: [orgId] })) await enqueue(tx, orgId, id);
}
