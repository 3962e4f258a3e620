import { type WaiverListItem, withdrawWaiver } from '@sightline/contract/vulnerabilities/waivers.ts';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { toast } from '#ui/toast.ts';
import { waivedItemName } from './waiver-action.ts';

/** Withdraws a request, or revokes an active waiver. */
export function EndWaiverDialog({ waiver, onClose }: { waiver: WaiverListItem; onClose: () => void }) {
  const isPending = waiver.state === 'requested';
  const end = useChange(
    () => call(withdrawWaiver, { params: { waiverId: waiver.id } }),
    () => {
      toast.success(isPending ? 'The request is withdrawn.' : 'The waiver is revoked. The item counts again.');
      onClose();
    },
  );
  const name = waivedItemName(waiver);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={isPending ? 'Withdraw this request?' : 'Revoke this waiver?'}
      confirm={isPending ? 'Withdraw request' : 'Revoke'}
      pending={end.isPending}
      onConfirm={() => end.mutate()}
    >
      {isPending
        ? `The request for ${name} no longer needs a decision. You can send another request.`
        : `${name} counts for ${waiver.control} again. The time until now stays waived.`}
    </ConfirmDialog>
  );
}
