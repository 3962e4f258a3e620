/** An inconsistency of the ledger. */
export interface LedgerProblem {
  what: 'entry' | 'tile' | 'head' | 'checkpoint' | 'anchor' | 'outside' | 'audit' | 'event' | 'finding' | 'state';
  epoch: number;
  /** The affected leaf, or the first of several; for a checkpoint, its size. */
  index: number | null;
  message: string;
}

export type ReportProblem = (problem: LedgerProblem) => void;
