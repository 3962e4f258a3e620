import { canonicalJson } from '../ledger/canonical.ts';
import type { VerdictRow } from './run.ts';

/** An evaluated row as hashed and exported: one line of canonical JSON, without its line break. */
export const rowText = ({ leaf, leaves, reasons, setting, subject, verdict }: VerdictRow): string =>
  canonicalJson({ leaf, leaves, reasons, setting, subject, verdict });
