import type { PartSource } from './host-answer.ts';

/** What became of a change that was due; undefined where there is nothing to record. */
export type ChangeOutcome =
  | { sources: Readonly<Record<string, PartSource>>; mergedAt: string; isUnsure: boolean; isDirect: boolean }
  | undefined;
