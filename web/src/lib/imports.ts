import {
  getRepository,
  listRepositories,
  type RepositoryImport,
  type RepositoryListItem,
  retryImport,
} from '@sightline/contract/sources/repositories.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, endpointQuery, keyOf } from './api.ts';
import { useFlag, useFlagsAwaited } from './flags.ts';
import { useMayManageIntegrations } from './rights.ts';

/** The status of an import, in the same words on every page. */
export interface ImportStatus {
  status: 'Queued' | 'Running' | 'Rate limited' | 'Succeeded' | 'Failed';
  /** The status with its end time or progress. */
  words: string;
  /** Why the last attempt failed, or how much is missing; null without problems. */
  reason: string | null;
  /** Whether a retry can succeed now. */
  canRetry: boolean;
  done: number;
  /** 0 while unknown. */
  total: number;
}

export function importStatus(progress: RepositoryImport): ImportStatus {
  const { state, error, missing, waitingUntil } = progress;
  const { done, total } = countsOf(progress);
  const counts = { done, total: total ?? 0 };
  if (state === 'failed') {
    return { ...counts, status: 'Failed', words: 'Failed', reason: error ?? 'No reason was given.', canRetry: true };
  }
  if (state === 'rate_limited') {
    const words = waitingUntil === null ? 'Rate limited' : `Rate limited until ${timeOf(waitingUntil)}`;
    return { ...counts, status: 'Rate limited', words, reason: null, canRetry: false };
  }
  if (state === 'done') {
    const reason = missing === 0 ? null : `${counted(missing)} could not be imported.`;
    return { ...counts, status: 'Succeeded', words: 'Succeeded', reason, canRetry: missing > 0 };
  }
  if (state === 'queued') {
    const words = waitingUntil === null ? 'Queued' : `Queued: next attempt at ${timeOf(waitingUntil)}`;
    return { ...counts, status: 'Queued', words, reason: error, canRetry: error !== null };
  }
  const of = total === null ? number.format(done) : `${number.format(done)} of ${number.format(total)}`;
  const words = `Running: ${names[progress.phase]} ${of}`;
  return { ...counts, status: 'Running', words, reason: error, canRetry: false };
}

/** Whether an import is running, failed, or is incomplete. */
export const isImportIncomplete = (progress: RepositoryImport | null): progress is RepositoryImport =>
  progress !== null && (progress.state !== 'done' || progress.missing > 0);

function countsOf({ phase, commits, pullRequests, files }: RepositoryImport) {
  if (phase === 'commits') return commits;
  return phase === 'files' ? files : pullRequests;
}

const names = { commits: 'commits', pull_requests: 'pull requests', files: 'changed files' } as const;
const number = new Intl.NumberFormat('en-US');
const counted = (count: number): string => `${number.format(count)} ${count === 1 ? 'item' : 'items'}`;

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayAndClock = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** Local time; includes the date if it is another day. */
function timeOf(at: string): string {
  const time = new Date(at);
  return (time.toDateString() === new Date().toDateString() ? clock : dayAndClock).format(time);
}

type Imported = Pick<RepositoryListItem, 'provider' | 'fullName'>;

/** Retries an import from where it stopped, or its missing items. */
export function useRetryImport() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ provider, fullName }: Imported) => call(retryImport, { params: { provider, repoPath: fullName } }),
    onSettled: () =>
      Promise.all(
        [listRepositories, getRepository].map((endpoint) =>
          queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
        ),
      ),
  });
}

/**
 * The data of `ui/ImportPanel.tsx`: imports that are running, failed or incomplete, and whether the first response is
 * pending.
 */
export function useImportPanel() {
  const manages = useMayManageIntegrations();
  const retry = useRetryImport();
  // The maximum page size: fewer imports run at the same time.
  const { data, isLoading } = useQuery({
    ...endpointQuery(listRepositories, { query: { perPage: 100 } }),
    enabled: useFlag('release2'),
    meta: { quiet: true },
  });
  const isPending = !useFlagsAwaited() || isLoading;
  const rows = (data?.rows ?? []).flatMap(({ id, provider, fullName, import: progress }) => {
    if (!isImportIncomplete(progress)) return [];
    const status = importStatus(progress);
    return { id, provider, fullName, ...status, canRetry: manages && status.canRetry };
  });
  const retrying = retry.isPending ? retry.variables.fullName : undefined;
  return { panel: { rows, onRetry: retry.mutate, retrying }, isPending };
}
