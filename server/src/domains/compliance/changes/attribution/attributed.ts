import type { HostPerson } from '../../../../providers/host-facts.ts';

/** Lines from one to another, both included and counted from 1. */
export interface Lines {
  from: number;
  to: number;
}

/** What somebody says that an agent wrote of a commit. */
export interface Attributed {
  commit: string;
  /** Null: said of the commit as a whole. */
  path: string | null;
  /** As of the commit. Empty where nobody tells lines. */
  lines: readonly Lines[];
  agent: string;
  model: string | null;
  /** The agent's conversation, by an opaque id. */
  session: string | null;
  /** Who started it, where that is said. */
  owner: HostPerson | null;
  source: 'git-ai' | 'agent-trace' | 'trailer' | 'host';
  confidence: 'declared' | 'inferred';
}

/** How reading one source went. */
export interface Reading {
  source: 'git-ai' | 'agent-trace';
  /** Notes, or records of traces, that were read. */
  records: number;
  malformed: number;
  /** Records that name no commit. */
  unmatched: number;
  /** What was more than we take. */
  dropped: number;
}

/** More of a change than this is left out, and said to be. */
export const most = {
  /** Characters of a note, and of the file of traces. */
  note: 256 * 1024,
  traces: 8 * 1024 * 1024,
  /** Stretches of lines. */
  stretches: 2_000,
  path: 500,
  word: 200,
} as const;

const last = 10_000_000;

export const isStretch = ({ from, to }: Lines): boolean =>
  Number.isInteger(from) && Number.isInteger(to) && from >= 1 && from <= to && to <= last;

/** A path within the repository, as text that every store can hold. */
export const isPath = (path: string): boolean =>
  path !== '' && path.length <= most.path && !path.startsWith('/') && path.isWellFormed() && !/\p{Cc}/u.test(path);

/** A word that a stranger wrote, as text that every store can hold. */
export const cleaned = (word: string): string =>
  word
    .slice(0, most.word)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .trim();

/** How many lines these are, counting each once. */
export function countLines(lines: readonly Lines[]): number {
  let [count, end] = [0, 0];
  for (const { from, to } of lines.toSorted((one, other) => one.from - other.from)) {
    count += Math.max(0, to - Math.max(from - 1, end));
    end = Math.max(end, to);
  }
  return count;
}
