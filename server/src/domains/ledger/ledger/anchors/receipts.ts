import type { AnchorKind } from '@sightline/contract/ledger/anchors.ts';
import type { Tx } from '#database/database.ts';

/** A checkpoint that an anchor has. */
export interface Receipt {
  epoch: number;
  size: number;
  kind: AnchorKind;
  party: string;
  at: Date;
  token: Buffer | null;
}

/** The largest checkpoint of an epoch that an anchor has. */
export async function maybeNewestReceipt(
  tx: Tx,
  orgId: string,
  { kind, party, epoch }: { kind: string; party: string; epoch: number },
): Promise<{ size: number } | undefined> {
  const [row] = await tx.query<{ size: number }>({
    name: 'ledger.newest-of-party',
    text: `select size from ledger_receipt where org_id = $1 and kind = $2 and party = $3 and epoch = $4 order by size desc limit 1`,
    values: [orgId, kind, party, epoch],
  });
  return row;
}

/** The cosignature lines of witnesses for the checkpoint of a size. */
export async function cosignaturesOf(tx: Tx, orgId: string, epoch: number, size: number): Promise<string[]> {
  const rows = await tx.query<{ token: Buffer | null }>({
    name: 'ledger.cosignatures',
    text: `select token from ledger_receipt where org_id = $1 and epoch = $2 and size = $3 and kind = 'witness' order by party`,
    values: [orgId, epoch, size],
  });
  return rows.flatMap(({ token }) => token?.toString('utf8').match(/[^\n]+\n/g) ?? []);
}

export async function insertReceipt(tx: Tx, orgId: string, receipt: Omit<Receipt, 'at'>): Promise<void> {
  const { epoch, size, kind, party, token } = receipt;
  await tx.query({
    name: 'ledger.keep-receipt',
    text: `insert into ledger_receipt (org_id, epoch, size, kind, party, token) values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    values: [orgId, epoch, size, kind, party, token],
  });
}
