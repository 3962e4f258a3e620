import { withdrawFindingWaiver } from '@sightline/contract/vulnerabilities/triage.ts';
import { call } from '#lib/api.ts';
import { toast } from '#ui/toast.ts';
import { DecisionDialog } from './DecisionDialog.tsx';
import type { TriageTarget, WaiverRequest } from './targets.ts';
import { useDecision } from './useDecision.ts';

interface WithdrawDialogProps {
  target: TriageTarget;
  exception: WaiverRequest;
  onClose: () => void;
}

/** Withdraws the user's own request. */
export function WithdrawDialog({ target, exception, onClose }: WithdrawDialogProps) {
  const withdraw = useDecision(
    () => call(withdrawFindingWaiver, { params: { findingId: target.id, exceptionId: exception.id } }),
    () => {
      toast.success('The request is withdrawn.');
      onClose();
    },
  );
  return (
    <DecisionDialog
      title="Withdraw your request"
      confirm="Withdraw request"
      pending={withdraw.isPending}
      error={withdraw.error}
      onClose={onClose}
      onConfirm={() => withdraw.mutate(undefined)}
    >
      <p>
        The waiver request for <b>{target.title}</b> no longer needs a decision. The vulnerability still counts as open.
      </p>
    </DecisionDialog>
  );
}
