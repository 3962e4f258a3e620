import pg from 'pg';
import { Refusal } from '#core/errors.ts';
import type { Manifest } from './manifest.ts';

/**
 * Verifies a loaded backup against its manifest and ledger: each table has its rows, each entry matches its hash, and
 * each audit entry and event has a ledger entry. Returns the number of ledger entries.
 */
export async function verifyLoadedBackup(client: pg.Client, { tables }: Manifest): Promise<number> {
  for (const { name, rows } of tables) {
    const found = await countOf(client, `select count(*) from ${name}`);
    if (found !== rows) throw new Refusal('conflict', `${name} has ${found} rows, and ${rows} in the backup.`);
  }
  return verifyLoadedEntries(client);
}

/**
 * Verifies that each ledger entry, or each of one organization, matches its hash, and that each audit entry and event has one.
 * Returns the number of entries. The owner of the schema sees rows of other organizations in some of these tables.
 */
export async function verifyLoadedEntries(client: pg.Client, orgId?: string): Promise<number> {
  const ofOrganization = orgId === undefined ? '' : `where org_id = ${pg.escapeLiteral(orgId)}`;
  const entries = `select org_id, entry_id, entry, leaf_hash from ledger_known ${ofOrganization}`;
  const changed = await countOf(
    client,
    String.raw`select count(*) from (${entries}) e where sha256('\x00'::bytea || convert_to(entry, 'UTF8')) <> leaf_hash`,
  );
  if (changed > 0) throw new Refusal('conflict', `${changed} ledger entries do not match their hash.`);
  const proofs = { audit_event: 'id', event: 'proof' };
  for (const [name, proof] of Object.entries(proofs)) {
    const unproven = await countOf(
      client,
      `select count(*) from (select org_id, ${proof} as id from ${name} ${ofOrganization}
       except select org_id, entry_id from (${entries}) e) unproven`,
    );
    if (unproven > 0) throw new Refusal('conflict', `${unproven} rows of ${name} have no ledger entry.`);
  }
  return countOf(client, `select count(*) from (${entries}) e`);
}

async function countOf(client: pg.Client, text: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(text);
  return Number(rows[0]?.count);
}
