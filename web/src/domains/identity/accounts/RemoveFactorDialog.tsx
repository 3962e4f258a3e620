import { removePasskey, removeTotp, type SecondFactors } from '@sightline/contract/identity/second-factors.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { toast } from '#ui/toast.ts';

interface RemoveFactorDialogProps {
  factor: 'app' | SecondFactors['passkeys'][number];
  onClose: () => void;
  onRemoved: (left: SecondFactors) => void;
}

export function RemoveFactorDialog({ factor, onClose, onRemoved }: RemoveFactorDialogProps) {
  const name = factor === 'app' ? 'the authenticator app' : factor.name;
  const remove = useMutation({
    mutationFn: () =>
      factor === 'app' ? call(removeTotp, {}) : call(removePasskey, { params: { passkeyId: factor.id } }),
    onSuccess: (left) => {
      toast.success('The second factor is removed.');
      onRemoved(left);
    },
    meta: { quiet: true },
  });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Remove ${name}?`}
      confirm="Remove"
      danger
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      <p>You can no longer sign in with it. Without any second factor your recovery codes stop working too.</p>
      {remove.error && <Banner tone="error">{errorMessageOf(remove.error, 'It could not be removed.')}</Banner>}
    </ConfirmDialog>
  );
}
