import { renewRecoveryCodes, type SecondFactors } from '@sightline/contract/identity/second-factors.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';

interface RenewCodesDialogProps {
  onClose: () => void;
  onRenewed: (secondFactors: SecondFactors, recoveryCodes: readonly string[]) => void;
}

export function RenewCodesDialog({ onClose, onRenewed }: RenewCodesDialogProps) {
  const renew = useMutation({
    mutationFn: () => call(renewRecoveryCodes, {}),
    onSuccess: ({ secondFactors, recoveryCodes }) => onRenewed(secondFactors, recoveryCodes),
    meta: { quiet: true },
  });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title="Create new recovery codes?"
      confirm="Create new codes"
      pending={renew.isPending}
      onConfirm={() => renew.mutate()}
    >
      <p>Your current codes stop working.</p>
      {renew.error && (
        <Banner tone="error">{errorMessageOf(renew.error, 'The codes were not created. Try again.')}</Banner>
      )}
    </ConfirmDialog>
  );
}
