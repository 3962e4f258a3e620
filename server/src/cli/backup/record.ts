import { recordOperatorEntry } from '#core/operator-log.ts';
import type { Tx } from '#database/database.ts';
import { userName } from '../operator.ts';

export interface MadeBackup {
  /** The moment that all rows are of. */
  at: string;
  release: string;
  folder: string;
  rows: number;
  encrypted: boolean;
}

/** Writes into the operator log that a backup was made: metrics and `doctor` read its age there. */
export const recordBackup = (tx: Tx, { ...data }: MadeBackup): Promise<string> =>
  recordOperatorEntry(tx, userName(), {
    action: 'backup.created',
    subject: { kind: 'installation', id: 'backup' },
    data,
  });
