import type { Source } from './told.ts';

/** What became of a change that was due; undefined where there is nothing to record. */
export type Outcome =
  | { sources: Readonly<Record<string, Source>>; mergedAt: string; isUnsure: boolean; isDirect: boolean }
  | undefined;
