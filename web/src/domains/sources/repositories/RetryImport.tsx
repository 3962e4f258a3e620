import type { RepositoryListItem } from '@sightline/contract/sources/repositories.ts';
import { useRetryImport } from '#lib/imports.ts';
import { RetryImportButton } from '#ui/RetryImportButton.tsx';

export function RetryImport({ repository }: { repository: Pick<RepositoryListItem, 'provider' | 'fullName'> }) {
  const retry = useRetryImport();
  return (
    <RetryImportButton
      fullName={repository.fullName}
      isPending={retry.isPending}
      onRetry={() => retry.mutate(repository)}
    />
  );
}
