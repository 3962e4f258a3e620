import {
  enableRepositories,
  getRepository,
  listProviderRepos,
  listRepositories,
  type RepositoryListItem,
} from '@sightline/contract/sources/repositories.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { toast } from '#ui/toast.ts';

interface DisableRepositoryProps {
  repository: Pick<RepositoryListItem, 'id' | 'provider' | 'owner' | 'fullName'>;
  opened: boolean;
  onClose: () => void;
  onDisabled?: () => void;
}

/** Confirms, then disables the repository. Recorded data remains. */
export function DisableRepository({ repository, opened, onClose, onDisabled }: DisableRepositoryProps) {
  const { id, provider, owner, fullName } = repository;
  const queryClient = useQueryClient();
  const disable = useMutation({
    mutationFn: () =>
      call(enableRepositories, { body: { providerRepos: { [provider]: { [owner]: [{ id, tracked: false }] } } } }),
    onSuccess: () => {
      onClose();
      toast.success(`${fullName} is disabled.`);
      onDisabled?.();
      queryClient.removeQueries({ queryKey: keyOf(getRepository) });
      return Promise.all(
        [listRepositories, listProviderRepos].map((endpoint) =>
          queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
        ),
      );
    },
    onError: onClose,
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Disable ${fullName}?`}
      confirm="Disable repository"
      danger
      pending={disable.isPending}
      onConfirm={() => disable.mutate()}
    >
      Members lose access to it here: its pull requests and contributors are no longer shown, and new changes are no
      longer read. What has been recorded is kept; enabling the repository brings it back.
    </ConfirmDialog>
  );
}
