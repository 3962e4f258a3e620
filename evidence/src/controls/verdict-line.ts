import { canonicalJson } from '../ledger/canonical.ts';
import type { VerdictRow } from './run.ts';

/**
 * An evaluated row as one line of canonical JSON, without its line break. `saveRun` hashes the lines into the
 * `control.evaluated` ledger entry. Bundles contain `evidenceLine` instead.
 */
export const verdictLine = ({ leaf, leaves, reasons, setting, subject, verdict }: VerdictRow): string =>
  canonicalJson({ leaf, leaves, reasons, setting, subject, verdict });
