import type { HostPerson } from '../../../../providers/host-facts.ts';

/** Lines from one to another, both included and counted from 1. */
export interface LineRange {
  from: number;
  to: number;
}

/** A claim that an agent wrote a part of a commit. */
export interface AttributionClaim {
  commit: string;
  /** Null for an entire commit. */
  path: string | null;
  /** As of the commit. Empty if the source reports no lines. */
  lines: readonly LineRange[];
  agent: string;
  model: string | null;
  /** The agent's conversation, by an opaque id. */
  session: string | null;
  /** The IDs that the agent gave its sessions, with which their telemetry is found. They are stored only as hashes. */
  reportedSessions?: readonly string[];
  /** The person who started the session, if reported. */
  owner: HostPerson | null;
  source: 'git-ai' | 'agent-trace' | 'trailer' | 'host';
  confidence: 'declared' | 'inferred';
  /** The commit that the source names, if this one was made from it by a rebase, squash or cherry-pick. */
  carriedFrom?: string;
}

/** Statistics of reading one source. */
export interface ReadingStatistics {
  source: 'git-ai' | 'agent-trace';
  /** Notes or trace records that were read. */
  records: number;
  malformed: number;
  /** Records that name no commit. */
  unmatched: number;
  /** Number of claims above the limits. */
  dropped: number;
  /** Number of attributed lines that the commit does not add, such as of a note that was copied to another commit. */
  foreign: number;
}

/** Limits per change. Claims above them are counted as dropped. */
export const ATTRIBUTION_LIMITS = {
  /** Maximum size: characters of a note, bytes of the trace file. */
  note: 256 * 1024,
  traces: 8 * 1024 * 1024,
  /** Line ranges. */
  stretches: 2_000,
  path: 500,
  word: 200,
} as const;

const MAX_LINE = 10_000_000;

export const isLineRange = ({ from, to }: LineRange): boolean =>
  Number.isInteger(from) && Number.isInteger(to) && from >= 1 && from <= to && to <= MAX_LINE;

/** A path within the repository that is valid text in every store. */
export const isRepositoryPath = (path: string): boolean =>
  path !== '' &&
  path.length <= ATTRIBUTION_LIMITS.path &&
  !path.startsWith('/') &&
  path.isWellFormed() &&
  !/\p{Cc}/u.test(path);

/** Sanitizes untrusted text: limits its length, removes control characters and replaces lone surrogates. */
export const sanitizeText = (word: string): string =>
  word
    .slice(0, ATTRIBUTION_LIMITS.word)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .trim();

/** Counts the lines of ranges that may overlap. */
export function countLines(lines: readonly LineRange[]): number {
  let [count, end] = [0, 0];
  for (const { from, to } of lines.toSorted((one, other) => one.from - other.from)) {
    count += Math.max(0, to - Math.max(from - 1, end));
    end = Math.max(end, to);
  }
  return count;
}
