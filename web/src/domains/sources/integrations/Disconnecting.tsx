import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { toast } from '#ui/toast.ts';

interface DisconnectingProps {
  opened: boolean;
  onClose: () => void;
  /** The name of the integration: 'GitLab'. */
  name: string;
  disconnect: () => Promise<unknown>;
  /** Refetches all queries about the integration. */
  refresh: (queryClient: QueryClient) => Promise<unknown>;
  /** The confirmation: 'Imported data is kept.' */
  kept: string;
  /** The consequences, and the data that remains. */
  children: ReactNode;
}

/** Confirms disconnecting an integration. */
export function ConfirmDisconnect({ opened, onClose, name, disconnect, refresh, kept, children }: DisconnectingProps) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: disconnect,
    onSuccess: () => {
      toast.success(`${name} is disconnected. ${kept}`);
      onClose();
      return refresh(queryClient);
    },
    meta: { quiet: true },
  });
  const close = () => {
    change.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={`Disconnect ${name}?`}
      confirm="Disconnect"
      danger
      pending={change.isPending}
      onConfirm={() => change.mutate()}
    >
      {change.error && (
        <Banner tone="error">{errorMessageOf(change.error, `${name} could not be disconnected.`)}</Banner>
      )}
      {children}
    </ConfirmDialog>
  );
}
