import type { CommitDraft } from './repository-scenario.ts';

/** The default branch while its history is generated: all commits so far, and the number of its last one. */
export type ScenarioBranch = { drafts: CommitDraft[]; tip: number };

/** Adds a commit without moving the tip, and returns its number. `files`: by default its own. */
export const addCommit = (
  { drafts }: ScenarioBranch,
  { files, ...commit }: Omit<CommitDraft, 'mark' | 'files'> & { files?: number[] },
): number => {
  const mark = drafts.length + 1;
  drafts.push({ mark, ...commit, files: files ?? [mark] });
  return mark;
};
