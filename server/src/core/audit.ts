import { type AuditAction, type AuditSubject, mailsOwners } from '@sightline/contract/organization/audit-actions.ts';
import type { Plain } from '@sightline/evidence/ledger/canonical.ts';
import type { Tx } from '#database/database.ts';
import type { Actor } from './actor.ts';
import { newId } from './ids.ts';
import { appendEntries, entryOf } from './ledger.ts';
import type { PersonRegistry } from './people.ts';

type AuditData = { readonly [key: string]: Plain };

export interface AuditEntry {
  /** noun.verb in the past, e.g. `repository.disabled`; a new one gets its sentence in contract/src/organization/audit-actions.ts. */
  action: AuditAction;
  subject: { kind: AuditSubject; id: string };
  /**
   * What changed, each key in `before` and `after`, and what else tells of it. Nothing personal: no names of people, no
   * addresses. The ledger holds it for ever.
   */
  data?: AuditData & { readonly before?: AuditData; readonly after?: AuditData };
  /** Names and addresses of people, with a `before` and `after` of their own: in the ledger only as commitments. */
  personal?: AuditData & { readonly before?: AuditData; readonly after?: AuditData };
}

/** Writes an audit entry about the thing with this id, in the transaction of a change. */
export type RecordChange = (
  id: string,
  action: AuditEntry['action'],
  data: NonNullable<AuditEntry['data']>,
) => Promise<void>;

/** A member. With `operator`, somebody at the machine itself who acted for them: that one is then named as the actor. */
type MemberDoer = Pick<Actor, 'accountId' | 'personId' | 'requestId' | 'address'> & { operator?: string };

/** Somebody who could not prove to be the person they claimed. Their address is committed under that person's key. */
type Stranger = { stranger: true } & Pick<Actor, 'personId' | 'requestId' | 'address'>;

/** Somebody in an auditor portal: no member, and a person only where the organization knows their address. */
type Visitor = { auditor: true; personId: string | null; requestId: string };

/** The reader of a mailbox, who may be no member and unknown to the organization. */
type Recipient = { recipient: true; requestId: string };

/**
 * Who did it: a person, a stranger, an auditor in a portal, the recipient of a mail, the operator for the installation, an integration, or the product by the
 * clock.
 */
export type Doer =
  | MemberDoer
  | Stranger
  | Visitor
  | Recipient
  | { operator: string; requestId: string }
  | { integration: string }
  | { clock: true };

/**
 * Writes an audit entry and its ledger entry in the transaction of the change: both stand or neither does. Answers the id of
 * both.
 */
export async function record(
  tx: Tx,
  { people, orgId, doer, entry }: { people: PersonRegistry; orgId: string; doer: Doer; entry: AuditEntry },
): Promise<string> {
  const id = newId();
  const at = new Date().toISOString();
  const somebody = 'personId' in doer ? doer : undefined;
  const from = somebody && 'address' in somebody ? somebody.address : undefined;
  // An IPv4 address that came over an IPv6 socket is still the IPv4 address.
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
      ...actorOf(doer),
      action: entry.action,
      subject_kind: entry.subject.kind,
      subject_id: entry.subject.id,
      data: JSON.stringify(entry.data ?? {}),
      personal: JSON.stringify(entry.personal ?? {}),
      request_id: 'requestId' in doer ? doer.requestId : null,
      address: address ?? null,
    })
    .execute();
  if (mailsOwners(entry.action, entry.data)) {
    await tx.db.insertInto('owner_notice').values({ org_id: orgId, audit_event_id: id }).execute();
  }
  const person = somebody?.personId ?? null;
  const key = person === null ? undefined : (await people.keys(tx, orgId, [person])).get(person);
  const fact = {
    id,
    org: orgId,
    kind: `audit.${entry.action}`,
    asOf: at,
    receivedAt: at,
    person,
    // The operator's own name is no member's, so no key could commit it: the entry says only that it was one.
    source: 'operator' in doer && doer.operator !== undefined ? 'operator' : 'sightline',
    subject: { kind: entry.subject.kind, id: entry.subject.id, data: entry.data ?? {} },
    personal: key === undefined ? {} : personal,
  };
  await appendEntries(tx, orgId, [entryOf(fact, key)]);
  return id;
}

/** Who did it, as tables name them. */
export function actorOf(doer: Doer): { actor_kind: string; actor_id: string } {
  if ('integration' in doer) return { actor_kind: 'integration', actor_id: doer.integration };
  if ('clock' in doer) return { actor_kind: 'system', actor_id: 'clock' };
  if ('recipient' in doer) return { actor_kind: 'system', actor_id: 'recipient' };
  if ('auditor' in doer) return { actor_kind: 'system', actor_id: 'auditor' };
  if ('stranger' in doer) return { actor_kind: 'system', actor_id: 'stranger' };
  if (!('accountId' in doer)) return { actor_kind: 'operator', actor_id: doer.operator };
  if (doer.operator !== undefined) return { actor_kind: 'operator', actor_id: doer.operator };
  return { actor_kind: 'account', actor_id: doer.accountId };
}
