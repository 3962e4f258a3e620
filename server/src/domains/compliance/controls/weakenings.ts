import { policyKinds } from '@sightline/evidence/bundle/policies.ts';
import type { Weakening } from '@sightline/evidence/bundle/weakening.ts';
import { weakeningsIn } from '@sightline/evidence/bundle/weakenings.ts';
import { parseEntry } from '@sightline/evidence/ledger/entry.ts';
import { isReadByKindSql } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';
import { namesOfPersons } from '../changes/queries.ts';
import type { PopulationQuery } from './populations/population.ts';

/** Returns the weakenings of a control in the period, from the ledger at the checkpoint. */
export async function findWeakenings(
  tx: Tx,
  { orgId, period, asOf }: PopulationQuery,
  control: string,
): Promise<readonly Weakening[]> {
  const rows = await tx.query<{ index: number; entry: string }>({
    name: 'controls.policy-entries',
    text: `select leaf_index::int as index, entry_text(e) as entry from ledger_entry e
           where org_id = $1 and kind = any($2) and ${isReadByKindSql} and epoch = $3 and leaf_index < $4 order by leaf_index`,
    values: [orgId, policyKinds, asOf.epoch, asOf.size],
  });
  const entries = rows.map(({ index, entry }) => ({ ...parseEntry(entry), index }));
  return weakeningsIn(entries, asOf.size, period, control);
}

/** Replaces the opaque IDs of authors and approvers with their current names. */
export async function withNames(tx: Tx, orgId: string, weakenings: readonly Weakening[]) {
  const persons = weakenings.flatMap(({ author, approver }) => [author, approver].flatMap((id) => id ?? []));
  if (persons.length === 0) return weakenings.map((one) => ({ ...one, author: null, approver: null }));
  const nameOf = await namesOfPersons(tx, orgId, persons);
  const named = (person: string | null) => (person === null ? null : { id: person, name: nameOf(person) });
  return weakenings.map((one) => ({ ...one, author: named(one.author), approver: named(one.approver) }));
}
