import { type Connectable, disconnectHost } from '@sightline/contract/host-connections.ts';
import { providerNames } from '@sightline/contract/repositories.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { reasonOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { toast } from '#ui/toast.ts';
import { refreshHost } from './refresh.ts';

interface Props {
  host: Connectable;
  opened: boolean;
  onClose: () => void;
}

/** Asks before a token is forgotten, and says what stays. */
export function HostDisconnectDialog({ host, opened, onClose }: Props) {
  const queryClient = useQueryClient();
  const name = providerNames[host];
  const disconnect = useMutation({
    mutationFn: () => call(disconnectHost, { params: { provider: host } }),
    onSuccess: () => {
      toast.success(`${name} is disconnected. What was read is kept.`);
      onClose();
      return refreshHost(queryClient);
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
      title={`Disconnect ${name}?`}
      confirm="Disconnect"
      danger
      pending={disconnect.isPending}
      onConfirm={() => disconnect.mutate()}
    >
      {disconnect.error && (
        <Banner tone="error">{reasonOf(disconnect.error, `${name} could not be disconnected.`)}</Banner>
      )}
      <p>
        Our webhooks are taken away there, the token is forgotten, and nothing new is read. Commits, pull requests and
        what else was read stay, and go on where they ended once you connect it again.
      </p>
    </ConfirmDialog>
  );
}
