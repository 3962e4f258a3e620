import {
  type AuditAction,
  type AuditSubject,
  shouldEmailOwners,
} from '@sightline/contract/organization/audit-actions.ts';
import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import type { Tx } from '#database/database.ts';
import type { Actor } from './actor.ts';
import { newId } from './ids.ts';
import { appendEntries, createLedgerEntry } from './ledger.ts';
import type { PersonRegistry } from './people.ts';
import { commitToRepositoryNames } from './repository-names.ts';

type AuditData = { readonly [key: string]: CanonicalValue };

export interface AuditEntry {
  /**
   * `noun.verb` in the past tense, such as `repository.disabled`. A new action needs a sentence in
   * contract/src/organization/audit-actions.ts.
   */
  action: AuditAction;
  subject: { kind: AuditSubject; id: string };
  /**
   * The change: each key in `before` and `after`, and further details. Contains no names or addresses of persons, since
   * the ledger stores it permanently.
   */
  data?: AuditData & { readonly before?: AuditData; readonly after?: AuditData };
  /** The name of the repository that the entry is about. The ledger contains it only as a commitment. */
  repositoryName?: string;
  /**
   * Names and addresses of persons, with their own `before` and `after`. The ledger contains them only as commitments.
   */
  personal?: AuditData & { readonly before?: AuditData; readonly after?: AuditData };
}

/** Writes an audit entry about the object with this ID in the transaction of the change. */
export type RecordChange = (
  id: string,
  action: AuditEntry['action'],
  data: NonNullable<AuditEntry['data']>,
) => Promise<void>;

/** A member. With `operator`, the operator acted for the member at the command line and is recorded as the actor. */
type MemberActor = Pick<Actor, 'accountId' | 'personId' | 'requestId' | 'address'> & { operator?: string };

/** A client that failed to prove the identity it claimed. Its address is committed under the key of that person. */
type UnauthenticatedClient = { stranger: true } & Pick<Actor, 'personId' | 'requestId' | 'address'>;

/** A visitor of an auditor portal: not a member, and a person only if the organization knows the email address. */
type Visitor = { auditor: true; personId: string | null; requestId: string };

/** The recipient of an email, who may be unknown to the organization. */
type Recipient = { recipient: true; requestId: string };

/**
 * The actor of an audit entry: a member, an unauthenticated client, an auditor in a portal, the recipient of an email,
 * the operator, an integration, or a scheduled job.
 */
export type AuditActor =
  | MemberActor
  | UnauthenticatedClient
  | Visitor
  | Recipient
  | { operator: string; requestId: string }
  | { integration: string }
  | { clock: true };

/** Writes an audit entry and its ledger entry in the transaction of the change. Returns the ID that both share. */
export async function recordAuditEntry(
  tx: Tx,
  { people, orgId, actor, entry }: { people: PersonRegistry; orgId: string; actor: AuditActor; entry: AuditEntry },
): Promise<string> {
  const { repositoryName } = entry;
  const id = newId();
  const at = new Date().toISOString();
  const personActor = 'personId' in actor ? actor : undefined;
  const from = personActor && 'address' in personActor ? personActor.address : undefined;
  // An IPv4-mapped IPv6 address is recorded as the IPv4 address.
  const address = from?.replace(/^::ffff:(?=\d+\.)/i, '');
  const personal = {
    ...entry.personal,
    ...(address !== undefined && { address }),
  };
  await tx.db
    .insertInto('audit_event')
    .values({
      org_id: orgId,
      id,
      at,
      ...auditActorColumns(actor),
      action: entry.action,
      subject_kind: entry.subject.kind,
      subject_id: entry.subject.id,
      data: JSON.stringify({ ...entry.data, ...(repositoryName !== undefined && { fullName: repositoryName }) }),
      personal: JSON.stringify(entry.personal ?? {}),
      request_id: 'requestId' in actor ? actor.requestId : null,
      address: address ?? null,
    })
    .execute();
  if (shouldEmailOwners(entry.action, entry.data)) {
    await tx.db.insertInto('owner_notice').values({ org_id: orgId, audit_event_id: id }).execute();
  }
  const person = personActor?.personId ?? null;
  const key = person === null ? undefined : (await people.keys(tx, orgId, [person])).get(person);
  const fact = {
    id,
    org: orgId,
    kind: `audit.${entry.action}`,
    asOf: at,
    receivedAt: at,
    person,
    // The operator is not a person of the organization, so no key could commit their name. The entry contains only the
    // source.
    source: 'operator' in actor && actor.operator !== undefined ? 'operator' : 'sightline',
    subject: { kind: entry.subject.kind, id: entry.subject.id, data: entry.data ?? {} },
    personal: key === undefined ? {} : personal,
  };
  const names =
    repositoryName === undefined
      ? []
      : await commitToRepositoryNames(tx, orgId, id, [{ id: entry.subject.id, name: repositoryName }]);
  await appendEntries(tx, orgId, [createLedgerEntry(fact, key, names)]);
  return id;
}

/** The actor columns of the audit tables. */
export function auditActorColumns(actor: AuditActor): { actor_kind: string; actor_id: string } {
  if ('integration' in actor) return { actor_kind: 'integration', actor_id: actor.integration };
  if ('clock' in actor) return { actor_kind: 'system', actor_id: 'clock' };
  if ('recipient' in actor) return { actor_kind: 'system', actor_id: 'recipient' };
  if ('auditor' in actor) return { actor_kind: 'system', actor_id: 'auditor' };
  if ('stranger' in actor) return { actor_kind: 'system', actor_id: 'stranger' };
  if (!('accountId' in actor)) return { actor_kind: 'operator', actor_id: actor.operator };
  if (actor.operator !== undefined) return { actor_kind: 'operator', actor_id: actor.operator };
  return { actor_kind: 'account', actor_id: actor.accountId };
}
