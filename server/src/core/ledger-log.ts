import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#database/database.ts';
import type { Secrets } from './secrets.ts';

/** What the ledger is written with: by the sequencer alone. */
export interface LedgerLog {
  /** Connections of the role that may write the ledger's tables. */
  database: Database;
  secrets: Secrets;
  /** How logs of this installation are named, e.g. `sightline.example`. */
  host: string;
  /** Outside of the database: what was signed last is kept here too, so that a restored database is noticed. */
  folder: string;
  log: FastifyBaseLogger;
  /** Has people told that the ledger does not verify. */
  failed: (orgId: string, because: string) => Promise<void>;
  /** Called after entries of an organization were added to the log. */
  sequenced: (orgId: string) => Promise<void>;
}
