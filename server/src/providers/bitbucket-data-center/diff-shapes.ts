import { z } from 'zod';
import type { HostChangedFile, HostFileDifference } from '#providers/host-evidence.ts';
import type { HostChanges } from '../host-facts.ts';

const path = z.object({ toString: z.string() });

const change = z.object({
  path,
  srcPath: path.nullish(),
  contentId: z.string().nullish(),
  fromContentId: z.string().nullish(),
  type: z.string(),
});

const statuses: Readonly<Record<string, HostChangedFile['status']>> = {
  ADD: 'added',
  COPY: 'added',
  DELETE: 'removed',
  MOVE: 'renamed',
};

const isZero = (id: string): boolean => /^0+$/.test(id);

/** Parses a changed file and the ID of its content, which is that of git. Throws ZodError for anything else. */
export function changeFrom(json: unknown): HostChangedFile & { blob: string | null } {
  const found = change.parse(json);
  const status = statuses[found.type] ?? 'modified';
  const blob = status === 'removed' ? found.fromContentId : found.contentId;
  return {
    path: found.path.toString,
    previousPath: status === 'renamed' ? (found.srcPath?.toString ?? null) : null,
    status,
    blob: blob && !isZero(blob) ? blob : null,
  };
}

const segment = z.object({
  type: z.string(),
  lines: z.array(z.object({ line: z.string(), truncated: z.boolean().nullish() })),
  truncated: z.boolean().nullish(),
});
const hunk = z.object({
  sourceLine: z.number().int(),
  sourceSpan: z.number().int(),
  destinationLine: z.number().int(),
  destinationSpan: z.number().int(),
  segments: z.array(segment).nullish(),
  truncated: z.boolean().nullish(),
});
const diff = z.object({
  source: path.nullish(),
  destination: path.nullish(),
  hunks: z.array(hunk).nullish(),
  binary: z.boolean().nullish(),
  truncated: z.boolean().nullish(),
});
const answer = z.object({ diffs: z.array(diff).nullish(), truncated: z.boolean().nullish() });
type Diff = z.output<typeof diff>;

export interface ParsedDiff extends HostChangedFile {
  additions: number | null;
  deletions: number | null;
  /** Its hunks in the unified format; null for binary and truncated files. */
  patch: string | null;
}

/** Parses a difference of the API. `isWhole`: false if the instance omitted files. Throws ZodError for anything else. */
export function diffsFrom(json: unknown): { items: ParsedDiff[]; isWhole: boolean } {
  const { diffs, truncated } = answer.parse(json);
  return { items: (diffs ?? []).map(diffFrom), isWhole: truncated !== true };
}

function diffFrom(found: Diff): ParsedDiff {
  const [from, to] = [found.source?.toString, found.destination?.toString];
  const isMoved = from !== undefined && to !== undefined && from !== to;
  const isReadable = found.binary !== true && found.truncated !== true && !(found.hunks ?? []).some(isCut);
  const count = (type: string): number | null =>
    isReadable ? linesOf(found).filter((line) => line.type === type).length : null;
  return {
    path: to ?? from ?? '',
    previousPath: isMoved ? from : null,
    status: from === undefined ? 'added' : to === undefined ? 'removed' : isMoved ? 'renamed' : 'modified',
    additions: count('ADDED'),
    deletions: count('REMOVED'),
    patch: isReadable ? (found.hunks ?? []).map(hunkText).join('') : null,
  };
}

const isCut = ({ truncated, segments }: z.output<typeof hunk>): boolean =>
  truncated === true ||
  (segments ?? []).some((one) => one.truncated === true || one.lines.some((line) => line.truncated === true));

const linesOf = ({ hunks }: Diff): { type: string; line: string }[] =>
  (hunks ?? []).flatMap(({ segments }) =>
    (segments ?? []).flatMap(({ type, lines }) => lines.map(({ line }) => ({ type, line }))),
  );

const signs: Readonly<Record<string, string>> = { ADDED: '+', REMOVED: '-' };

function hunkText(found: z.output<typeof hunk>): string {
  const range = (line: number, span: number): string => (span === 1 ? `${line}` : `${line},${span}`);
  const head = `@@ -${range(found.sourceLine, found.sourceSpan)} +${range(found.destinationLine, found.destinationSpan)} @@`;
  const lines = linesOf({ hunks: [found] }).map(({ type, line }) => `${signs[type] ?? ' '}${line}`);
  return `${[head, ...lines].join('\n')}\n`;
}

/** The changes of a commit; the sums are null if a file has no counts. */
export function changesFrom(items: readonly ParsedDiff[]): HostChanges {
  const sum = (field: 'additions' | 'deletions'): number | null =>
    items.reduce<number | null>((all, { [field]: one }) => (all === null || one === null ? null : all + one), 0);
  return {
    additions: sum('additions'),
    deletions: sum('deletions'),
    files: items.map(({ path: name, status, additions, deletions }) => ({ path: name, status, additions, deletions })),
  };
}

/** Joins the changed files, which name their contents, with their hunks. */
export function joinedDifference(
  files: readonly ReturnType<typeof changeFrom>[],
  diffs: readonly ParsedDiff[],
): HostFileDifference[] {
  const patches = new Map(diffs.map((one) => [one.path, one.patch]));
  return files.map((file) => ({ ...file, patch: patches.get(file.path) ?? null }));
}
