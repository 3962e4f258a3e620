import { Button } from '@mantine/core';
import {
  getRepository,
  listRepositories,
  type RepositoryListItem,
  retryImport,
} from '@sightline/contract/repositories.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';

export function RetryImport({ repository }: { repository: Pick<RepositoryListItem, 'provider' | 'fullName'> }) {
  const { provider, fullName } = repository;
  const queryClient = useQueryClient();
  const retry = useMutation({
    mutationFn: () => call(retryImport, { params: { provider, repoPath: fullName } }),
    onSettled: () =>
      Promise.all(
        [listRepositories, getRepository].map((endpoint) =>
          queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
        ),
      ),
  });
  return (
    <Button size="compact-sm" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
      Retry<span className="vh"> the import of {fullName}</span>
    </Button>
  );
}
