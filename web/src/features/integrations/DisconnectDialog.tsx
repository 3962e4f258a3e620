import { disconnectCheckmarx } from '@sightline/contract/integrations.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { reasonOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { toast } from '#ui/toast.ts';
import { refreshScanner } from './refresh.ts';

/** Asks before the key is forgotten, and says what stays. */
export function DisconnectDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const queryClient = useQueryClient();
  const disconnect = useMutation({
    mutationFn: () => call(disconnectCheckmarx, {}),
    onSuccess: () => {
      toast.success('Checkmarx One is disconnected. What it found is kept.');
      onClose();
      return refreshScanner(queryClient);
    },
    meta: { quiet: true },
  });
  const close = () => {
    disconnect.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title="Disconnect Checkmarx One?"
      confirm="Disconnect"
      danger
      pending={disconnect.isPending}
      onConfirm={() => disconnect.mutate()}
    >
      {disconnect.error && (
        <Banner tone="error">{reasonOf(disconnect.error, 'Checkmarx One could not be disconnected.')}</Banner>
      )}
      <p>
        The API key is forgotten and no new results are read. Vulnerabilities that were found, their history and what
        was decided about them stay. To connect again, you need a key.
      </p>
    </ConfirmDialog>
  );
}
