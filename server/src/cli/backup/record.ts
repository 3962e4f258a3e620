import { recordOperatorEntry } from '#core/operator-log.ts';
import type { Tx } from '#database/database.ts';
import { operatorUserName } from '../operator.ts';

export interface CompletedBackup {
  /** The time of all rows. */
  at: string;
  release: string;
  folder: string;
  rows: number;
  encrypted: boolean;
}

/** Records a backup in the operator log, from which metrics and `doctor` read its age. */
export const recordBackup = (tx: Tx, { ...data }: CompletedBackup): Promise<string> =>
  recordOperatorEntry(tx, operatorUserName(), {
    action: 'backup.created',
    subject: { kind: 'installation', id: 'backup' },
    data,
  });
