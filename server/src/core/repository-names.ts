import { randomBytes } from 'node:crypto';
import { nameField } from '@sightline/evidence/bundle/names.ts';
import { disclosureOf } from '@sightline/evidence/ledger/entry.ts';
import type { Tx } from '#database/database.ts';
import type { PersonalField } from './ledger.ts';

interface NamedRepository {
  id: string;
  name: string;
}

/**
 * Stores the openings with which bundles disclose names of repositories, and returns the fields to which the ledger
 * entry commits. Each entry has its own salt, so that an opened name opens no other entry.
 */
export async function commitToRepositoryNames(
  tx: Tx,
  orgId: string,
  entryId: string,
  repositories: readonly NamedRepository[],
): Promise<PersonalField[]> {
  const fields = repositories.map(({ id, name }) => ({ field: nameField(id), value: name, key: randomBytes(32) }));
  await tx.query({
    name: 'ledger.commit-repository-names',
    text: `insert into repository_disclosure (org_id, entry_id, repository_id, disclosure)
           select $1, $2, d.id, d.disclosure from unnest($3::uuid[], $4::text[]) as d(id, disclosure)`,
    values: [
      orgId,
      entryId,
      repositories.map(({ id }) => id),
      fields.map(({ field, value, key }) => disclosureOf(entryId, field, value, new Uint8Array(key))),
    ],
  });
  return fields;
}
