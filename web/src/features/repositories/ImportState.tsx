import { Tooltip } from '@mantine/core';
import type { RepositoryImport, RepositoryListItem } from '@sightline/contract/repositories.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Progress } from '#ui/Progress.tsx';
import { importProgress } from './importProgress.ts';
import s from './Repositories.module.css';
import { RetryImport } from './RetryImport.tsx';

type Imported = Pick<RepositoryListItem, 'provider' | 'fullName' | 'import'>;

/** How far the history has been read in, or why it stopped. Draws nothing once it is done. */
export function ImportState({ repository, manages }: { repository: Imported; manages: boolean }) {
  const { import: state, fullName } = repository;
  if (state === null || state.state === 'done') return null;
  if (state.state === 'failed') {
    const reason = state.error ?? 'No reason was given.';
    return (
      <span className={s.failed}>
        <IconAlertTriangle className={s.alert} size={15} stroke={1.75} aria-hidden />
        <span className={s.failure}>
          <span>Import failed</span>
          <Tooltip label={reason} multiline maw={320}>
            <span className={`truncate ${s.reason}`}>{reason}</span>
          </Tooltip>
        </span>
        {manages && <RetryImport repository={repository} />}
      </span>
    );
  }
  const { done, total, words } = importProgress(state);
  return (
    <span className={s.import}>
      <span className={s.importWords}>{words}</span>
      <Progress label={`Importing ${fullName}`} done={done} total={total} words="" />
    </span>
  );
}

/** On its way: waiting, running, or held back by the code host's rate limit. */
export const isImporting = (state: RepositoryImport | null): boolean =>
  state !== null && state.state !== 'done' && state.state !== 'failed';
