/** What of the ledger does not agree with the rest. */
export interface Problem {
  what: 'entry' | 'tile' | 'head' | 'checkpoint' | 'anchor' | 'outside' | 'audit' | 'event';
  epoch: number;
  /** The leaf it is about, the first of several; for a checkpoint its size. */
  index: number | null;
  says: string;
}

export type ReportProblem = (problem: Problem) => void;
