import type { Tx } from '#database/database.ts';
import type { Actor } from './actor.ts';
import { newId } from './ids.ts';
import { appendEntries, entryOf, type Plain } from './ledger.ts';
import type { People } from './people.ts';

export interface AuditEntry {
  /** noun.verb in the past, e.g. `repository.disabled`. */
  action: string;
  subject: { kind: string; id: string };
  /** Before and after, without personal data. */
  data?: { readonly [key: string]: Plain };
  /** Names, addresses: readable here, in the ledger only as commitments. */
  personal?: { readonly [field: string]: Plain };
}

/** A member. With `operator`, somebody at the machine itself who acted for them: that one is then named as the actor. */
type Person = Pick<Actor, 'accountId' | 'personId' | 'requestId' | 'address'> & { operator?: string };

/** Who did it: a person, or the product itself on behalf of an integration. */
export type Doer = Person | { integration: string };

/** Writes an audit entry and its ledger entry in the transaction of the change: both stand or neither does. */
export async function record(tx: Tx, people: People, orgId: string, doer: Doer, entry: AuditEntry): Promise<void> {
  const id = newId();
  const at = new Date().toISOString();
  const member = 'accountId' in doer ? doer : undefined;
  const personal = {
    ...entry.personal,
    ...(member?.address !== undefined && { address: member.address }),
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
      request_id: member?.requestId ?? null,
      address: member?.address ?? null,
    })
    .execute();
  const person = member?.personId ?? null;
  const key = person === null ? undefined : (await people.keys(tx, orgId, [person])).get(person);
  const fact = {
    id,
    org: orgId,
    kind: `audit.${entry.action}`,
    asOf: at,
    receivedAt: at,
    person,
    // The operator's own name is no member's, so no key could commit it: the entry says only that it was one.
    source: member?.operator === undefined ? 'sightline' : 'operator',
    subject: { kind: entry.subject.kind, id: entry.subject.id, data: entry.data ?? {} },
    personal: key === undefined ? {} : personal,
  };
  await appendEntries(tx, orgId, [entryOf(fact, key)]);
}

function actorOf(doer: Doer): { actor_kind: string; actor_id: string } {
  if ('integration' in doer) return { actor_kind: 'integration', actor_id: doer.integration };
  if (doer.operator !== undefined) return { actor_kind: 'operator', actor_id: doer.operator };
  return { actor_kind: 'account', actor_id: doer.accountId };
}
