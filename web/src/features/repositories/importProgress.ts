import type { RepositoryImport } from '@sightline/contract/repositories.ts';

export interface ImportProgress {
  done: number;
  /** 0 while nobody knows how many there are. */
  total: number;
  words: string;
}

/** The step the import is at, in numbers and in words. */
export function importProgress(state: RepositoryImport): ImportProgress {
  const { done, total } = countsOf(state);
  return { done, total: total ?? 0, words: wordsOf(state, done, total) };
}

function countsOf({ phase, commits, pullRequests, files }: RepositoryImport) {
  if (phase === 'commits') return commits;
  return phase === 'files' ? files : pullRequests;
}

const names = { commits: 'commits', pull_requests: 'pull requests', files: 'changed files' } as const;

function wordsOf({ state, phase, waitingUntil }: RepositoryImport, done: number, total: number | null): string {
  if (state === 'queued') return 'Import waits for its turn';
  // The clock of whoever reads it: how long is what matters, not where.
  if (state === 'waiting')
    return waitingUntil === null
      ? 'Held back by the code host’s limit'
      : `Held back by the code host’s limit until ${time.format(Date.parse(waitingUntil))}`;
  const counted = total === null ? number.format(done) : `${number.format(done)} of ${number.format(total)}`;
  return `Importing ${names[phase]}: ${counted}`;
}

const number = new Intl.NumberFormat('en-GB');
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
