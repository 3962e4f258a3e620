import { Tooltip } from '@mantine/core';
import type { RepositoryListItem } from '@sightline/contract/sources/repositories.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { importStatus } from '#lib/imports.ts';
import { Progress } from '#ui/Progress.tsx';
import s from './Repositories.module.css';
import { RetryImport } from './RetryImport.tsx';

type Imported = Pick<RepositoryListItem, 'provider' | 'fullName' | 'import'>;

/** Shows status, failure or progress of an import. Renders nothing after it has succeeded. */
export function ImportState({ repository, manages }: { repository: Imported; manages: boolean }) {
  const { import: progress, fullName } = repository;
  if (progress === null || progress.state === 'done') return null;
  const { words, reason, canRetry, done, total } = importStatus(progress);
  if (reason !== null) {
    return (
      <span className={s.failed}>
        <IconAlertTriangle className={s.alert} size={15} stroke={1.75} aria-hidden />
        <span className={s.failure}>
          <span>{words}</span>
          <Tooltip label={reason} multiline maw={320}>
            <span className={`truncate ${s.reason}`}>{reason}</span>
          </Tooltip>
        </span>
        {manages && canRetry && <RetryImport repository={repository} />}
      </span>
    );
  }
  return (
    <span className={s.import}>
      <span className={s.importWords}>{words}</span>
      <Progress label={`Importing ${fullName}`} done={done} total={total} words="" />
    </span>
  );
}
