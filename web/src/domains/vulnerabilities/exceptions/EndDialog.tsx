import { type WaiverListItem, withdrawWaiver } from '@sightline/contract/vulnerabilities/exceptions.ts';
import { withdrawFindingWaiver } from '@sightline/contract/vulnerabilities/triage.ts';
import { call } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { toast } from '#ui/toast.ts';
import { nameOf } from './leaveColumns.tsx';
import { useLeaveChange } from './useLeaveChange.ts';

/** Takes a request back, or ends what holds. */
export function EndDialog({ leave, onClose }: { leave: WaiverListItem; onClose: () => void }) {
  const { id: exceptionId, finding } = leave;
  const waits = leave.state === 'requested';
  const end = useLeaveChange(
    () =>
      finding
        ? call(withdrawFindingWaiver, { params: { findingId: finding.id, exceptionId } })
        : call(withdrawWaiver, { params: { exceptionId } }),
    () => {
      toast.success(waits ? 'The request is withdrawn.' : 'The waiver is revoked. The item counts again.');
      onClose();
    },
    (error) => toast.error(errorMessageOf(error, 'The server could not be reached.')),
  );
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={waits ? 'Withdraw this request?' : 'Revoke this waiver?'}
      confirm={waits ? 'Withdraw' : 'Revoke'}
      pending={end.isPending}
      onConfirm={() => end.mutate(undefined)}
    >
      {waits
        ? `The request for ${nameOf(leave)} no longer needs a decision. You can send another request.`
        : `${nameOf(leave)} counts for ${leave.control} again. The time until now stays waived.`}
    </ConfirmDialog>
  );
}
