import { canonical } from '../ledger/canonical.ts';
import type { VerdictRow } from './run.ts';

/** A evaluated row as it is hashed and handed out: one line of canonical JSON, without its end. */
export const rowText = ({ leaf, leaves, reasons, setting, subject, verdict }: VerdictRow): string =>
  canonical({ leaf, leaves, reasons, setting, subject, verdict });
