import type { CodeHost } from '#providers/code-host.ts';
import type { HostFileDifference } from '#providers/host-evidence.ts';
import type { HostCommit, HostRef } from '../../../../providers/host-facts.ts';
import { answerOf, requestFromHost } from '../host-answer.ts';
import type { LineRange } from './attribution-claim.ts';

/** The lines that a commit adds, by path; null if the host omits those of the file. */
export type AddedLines = ReadonlyMap<string, readonly LineRange[] | null>;

// Each is a request. Notes of further commits are not compared.
const MAX_COMMITS = 100;
const CONCURRENT_REQUESTS = 6;

/** The files that commits change, by commit. */
export type CommitDifferences = ReadonlyMap<string, readonly HostFileDifference[]>;

/**
 * Reads what commits change. A commit whose difference the host does not return completely is left out. Throws
 * HostLimited.
 */
export async function readDifferences(
  host: CodeHost | undefined,
  ref: HostRef,
  commits: readonly HostCommit[],
): Promise<CommitDifferences> {
  const evidence = host?.evidence;
  if (!evidence) return new Map();
  const found = new Map<string, readonly HostFileDifference[]>();
  // Of a merge, the host compares with one parent only.
  const comparable = commits.filter(({ parents }) => parents?.length === 1).slice(-MAX_COMMITS);
  for (let from = 0; from < comparable.length; from += CONCURRENT_REQUESTS) {
    await Promise.all(
      comparable.slice(from, from + CONCURRENT_REQUESTS).map(async ({ sha, parents }) => {
        const answer = await requestFromHost(() => evidence.differenceOf(ref, parents?.[0] ?? '', sha));
        const difference = answerOf(answer);
        if (difference?.isWhole) found.set(sha, difference.items);
      }),
    );
  }
  return found;
}

export const addedLinesOf = (files: readonly HostFileDifference[]): AddedLines =>
  new Map(files.map(({ path, patch }) => [path, patch === null ? null : rangesIn(patch)]));

function rangesIn(patch: string): LineRange[] {
  return rangesOf(addedTextsIn(patch).map(({ line }) => line));
}

/** Joins line numbers, in ascending order, to ranges. */
export function rangesOf(lines: readonly number[]): LineRange[] {
  const ranges: LineRange[] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last?.to === line - 1) last.to = line;
    else ranges.push({ from: line, to: line });
  }
  return ranges;
}

/** The added lines of hunks in the unified format, by their numbers in the new file. */
export function addedTextsIn(patch: string): { line: number; text: string }[] {
  const added: { line: number; text: string }[] = [];
  let line = 0;
  for (const text of patch.split('\n')) {
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(text)?.[1];
    if (start !== undefined) line = Number(start);
    else if (text.startsWith('+')) {
      added.push({ line, text: text.slice(1) });
      line += 1;
    } else if (!text.startsWith('-') && !text.startsWith('\\')) line += 1;
  }
  return added;
}

/** The parts of ranges that lie in others; those must be sorted. */
export const intersect = (ranges: readonly LineRange[], others: readonly LineRange[]): LineRange[] =>
  ranges.flatMap(({ from, to }) =>
    others
      .filter((other) => other.from <= to && other.to >= from)
      .map((other) => ({ from: Math.max(from, other.from), to: Math.min(to, other.to) })),
  );
