import type { Services } from '#core/services.ts';
import { bigintArray, intArray } from '#database/arrays.ts';
import type { Tx } from '#database/database.ts';
import { fieldTerms, ownFieldValues } from './fields.ts';
import { namesInsertSql } from './names.ts';
import type { EventField, EventFieldValues } from './new-event.ts';
import { findArchivedIds } from './segments/lookup.ts';
import { hashTerm } from './terms.ts';

interface FieldAddition {
  id: string;
  fields: EventFieldValues;
  /** The fields among them that are indexed already. */
  known?: EventFieldValues;
}

/** Queues more fields of events for indexing, in the caller's transaction. */
export async function queueFields(
  services: Services,
  tx: Tx,
  orgId: string,
  found: readonly FieldAddition[],
): Promise<void> {
  if (found.length === 0) return;
  const rows = await tx.query<{ id: string; as_of: string }>({
    name: 'events.times',
    text: 'select id, as_of::text from event where org_id = $1 and id = any($2::uuid[])',
    values: [orgId, found.map(({ id }) => id)],
  });
  const times = new Map(rows.map(({ id, as_of }) => [id, as_of]));
  const additions = found.flatMap(({ id, fields: given, known = {} }) => {
    const fields = ownFieldValues(given);
    const listed = new Set(fieldTerms(ownFieldValues(known)));
    const terms = fieldTerms(fields).filter((term) => !listed.has(term));
    return terms.length === 0 ? [] : [{ id, fields, terms }];
  });
  const late = additions.flatMap((one) => {
    const asOf = times.get(one.id);
    return asOf === undefined ? [] : [{ ...one, asOf }];
  });
  await queueLateTerms(tx, orgId, late);
  const others = additions.filter(({ id }) => !times.has(id));
  if (others.length > 0) await queueArchivedTerms(services, tx, orgId, others);
  if (late.length > 0) tx.afterCommit(() => services.newEvents.add(orgId, late.length));
}

interface LateFields {
  id: string;
  asOf: string;
  terms: readonly number[];
  fields: ReadonlyMap<EventField, ReadonlySet<string>>;
}

/** Queues terms of those of these events that are archived, for the job that rewrites their segments. */
async function queueArchivedTerms(
  services: Services,
  tx: Tx,
  orgId: string,
  additions: readonly Omit<LateFields, 'asOf'>[],
): Promise<void> {
  const archived = await findArchivedIds(services, orgId, additions);
  const found = additions.filter(({ id }) => archived.has(id));
  for (const { id, terms } of found) {
    await tx.query({
      name: 'events.late-archived',
      text: 'insert into event_segment_term (org_id, id, terms) values ($1, $2, $3::bigint[])',
      values: [orgId, id, [...terms]],
    });
  }
  if (found.length > 0) await queueLateNames(tx, orgId, found);
}

/** Inserts pending rows for the job that moves terms to the posting lists and names to the dictionary. */
export async function queueLateTerms(tx: Tx, orgId: string, late: readonly LateFields[]): Promise<void> {
  if (late.length === 0) return;
  await tx.query({
    name: 'events.late',
    text: `insert into posting_pending (org_id, events, id, as_of, terms, places, late)
           select $1::uuid, cardinality($2::uuid[]), $2, $3::timestamptz[], $4::bigint[], $5::int[], true`,
    values: [
      orgId,
      late.map(({ id }) => id),
      late.map(({ asOf }) => asOf),
      bigintArray(late.flatMap(({ terms }) => terms)),
      intArray(late.flatMap(({ terms }, index) => terms.map(() => index + 1))),
    ],
  });
  await queueLateNames(tx, orgId, late);
}

/** Queues the names of field values for the dictionary. */
export async function queueLateNames(
  tx: Tx,
  orgId: string,
  late: readonly Pick<LateFields, 'fields'>[],
): Promise<void> {
  const names = new Set(
    late.flatMap(({ fields }) =>
      [...fields].flatMap(([field, values]) =>
        field === 'sha' ? [] : Array.from(values, (value) => `${field}\n${value}`),
      ),
    ),
  );
  await tx.query({
    name: 'events.late-names',
    text: namesInsertSql(2),
    values: [orgId, [...names], Array.from(names, hashTerm)],
  });
}
