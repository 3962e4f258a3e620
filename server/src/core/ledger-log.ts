import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#database/database.ts';
import type { Secrets } from './secrets.ts';

/** The dependencies of the sequencer, the only writer of the ledger. */
export interface LedgerLog {
  /** Connections of the role that may write the tables of the ledger. */
  database: Database;
  secrets: Secrets;
  /** The origin of the logs of this installation, such as `sightline.example`. */
  host: string;
  /** A directory outside the database that also stores the last checkpoint, so that a restored database is detected. */
  folder: string;
  log: FastifyBaseLogger;
  /** Notifies about a ledger integrity failure. */
  failed: (orgId: string, because: string) => Promise<void>;
  /** Called after entries of an organization were added to the log. */
  sequenced: (orgId: string) => Promise<void>;
}
