import { Button } from '@mantine/core';
import { enableRepositories, listProviderRepos, listRepositories } from '@sightline/contract/sources/repositories.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery, keyOf } from '#lib/api.ts';
import { Dialog } from '#ui/Dialog.tsx';
import { Failure } from '#ui/Failure.tsx';
import { toast } from '#ui/toast.ts';
import { changedSelectionOf, enabledIdsOf, offersOf, type RepositorySelectionBody } from './choice.ts';
import { RepositoryChecklist } from './RepositoryChecklist.tsx';

/** Selects among the repositories of connected code hosts. Enabled ones are disabled individually elsewhere. */
export function ChooseRepositoriesDialog({ onClose }: { onClose: () => void }) {
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  const queryClient = useQueryClient();
  const offer = useQuery({ ...endpointQuery(listProviderRepos, {}), meta: { quiet: true } });
  const choose = useMutation({
    mutationFn: (body: RepositorySelectionBody) => call(enableRepositories, { body }),
    onSuccess: () => {
      toast.success(`${counted(added.size)} enabled. Import started.`);
      onClose();
      return Promise.all(
        [listRepositories, listProviderRepos].map((endpoint) =>
          queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
        ),
      );
    },
  });
  const providerRepos = offer.data?.providerRepos;
  const enable = () => {
    if (providerRepos)
      choose.mutate(changedSelectionOf(providerRepos, new Set([...enabledIdsOf(providerRepos), ...added])));
  };

  return (
    <Dialog
      title="Add repositories"
      opened
      onClose={onClose}
      width={560}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={added.size === 0} loading={choose.isPending} onClick={enable}>
            {added.size === 0 ? 'Enable' : `Enable ${counted(added.size)}`}
          </Button>
        </>
      }
    >
      {offer.isError ? (
        <Failure
          title="The available repositories could not be loaded"
          error={offer.error}
          onRetry={() => offer.refetch()}
        />
      ) : (
        <RepositoryChecklist
          offers={providerRepos && ((words) => offersOf(providerRepos, words))}
          added={added}
          onChange={setAdded}
        />
      )}
    </Dialog>
  );
}

const counted = (count: number) => (count === 1 ? '1 repository' : `${count} repositories`);
