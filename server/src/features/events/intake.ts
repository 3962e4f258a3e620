import { createGather } from '#core/gather.ts';
import { newId } from '#core/ids.ts';
import { appendEntries } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { type Appended, append, batchOf, inputOf, insertsOf, type NewEvent } from './commands.ts';
import { batchEntry, proofOf, rowOf } from './rows.ts';

/** Writes a client's events under one ledger entry: the Merkle root over those that are new. */
export type Intake = (orgId: string, events: readonly NewEvent[]) => Promise<Appended>;

// Beyond this a statement takes long enough that another connection does better with the rest.
const most = 500;

/**
 * Batches that come while others are being written go together. All new is the rule, so that is tried in a single
 * statement with one root over all. A resent event among them makes each batch go by itself, and its own in steps.
 */
export function createIntake(services: Services): Intake {
  const gather = createGather<readonly NewEvent[], Appended>({
    // While PostgreSQL writes one, the next is made.
    runs: 2,
    most,
    weigh: (events) => events.length,
    run: (orgId, batches) => write(services, orgId, batches),
  });
  return (orgId, events) => (events.length === 0 ? Promise.resolve({ added: new Set() }) : gather(orgId, events));
}

async function write(
  services: Services,
  orgId: string,
  batches: readonly (readonly NewEvent[])[],
): Promise<Appended[]> {
  const events = batches.flat();
  if (!(await allAtOnce(services, orgId, events))) {
    if (batches.length > 1) throw new Error('Not all events are new');
    const appended = await services.database.withOrg(orgId, (tx) => inSteps(services, tx, orgId, events));
    if (appended.added.size > 0) services.newEvents.ring(orgId, appended.added.size);
    return [appended];
  }
  services.newEvents.ring(orgId, events.length);
  return batches.map((batch) => ({ added: new Set(batch.map(({ id }) => id)) }));
}

/** False when an event is not new, or a key is not at hand. */
async function allAtOnce(services: Services, orgId: string, events: readonly NewEvent[]): Promise<boolean> {
  const keys = services.people.openedKeys(events.flatMap((event) => event.actor ?? []));
  if (!keys) return false;
  const batch = { orgId, receivedAt: new Date().toISOString(), keys };
  const proof = newId();
  const proofs = events.map((event) => ({ event, entry: proofOf(event, batch) }));
  const root = batchEntry(
    proofs.map(({ entry }) => entry),
    batch,
    proof,
  );
  const rows = proofs.map(({ event, entry }) => rowOf(event, entry, proof));
  try {
    await services.database.onceWithOrg(orgId, {
      name: 'events.batch',
      text: batchSql,
      values: [JSON.stringify(rows), batch.receivedAt, root.id, root.kind, root.text, root.leafHash, rows.length],
    });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === notNull) return false;
    throw error;
  }
}

async function inSteps(services: Services, tx: Tx, orgId: string, events: readonly NewEvent[]): Promise<Appended> {
  const batch = await batchOf(services, tx, orgId, events);
  const proof = newId();
  const entries = new Map(events.map((event) => [event.id, proofOf(event, batch)]));
  const rows = events.flatMap((event) => {
    const entry = entries.get(event.id);
    return entry ? [rowOf(event, entry, proof)] : [];
  });
  const added = await append(tx, batch, rows);
  const fresh = [...added].flatMap((id) => entries.get(id) ?? []);
  if (fresh.length > 0) await appendEntries(tx, orgId, [batchEntry(fresh, batch, proof)]);
  return { added };
}

const notNull = '23502';
// The root was made over all of them. If one is not new, the null in place of the leaf hash refuses the statement whole.
const batchSql = `,
  input as (select x.* from tenant, ${inputOf('$2')}), ${insertsOf('$3')}
  insert into ledger_pending (org_id, entry_id, kind, entry, leaf_hash)
  select $1, $4, $5, $6, case when (select count(*) from added) = $8 then $7::bytea end from tenant`;
