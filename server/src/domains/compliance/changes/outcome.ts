import type { PartSource } from './host-answer.ts';

/** The result of processing a due change; undefined if there is nothing to record. */
export type ChangeOutcome =
  | { sources: Readonly<Record<string, PartSource>>; mergedAt: string; isUnsure: boolean; isDirect: boolean }
  | undefined;
