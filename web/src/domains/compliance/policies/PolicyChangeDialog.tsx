import type { PolicyChange } from '@sightline/contract/compliance/policies.ts';
import {
  decidePolicyChange,
  MIN_POLICY_DECISION_REASON_LENGTH,
  withdrawPolicyChange,
} from '@sightline/contract/compliance/policy-changes.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Comment } from '#ui/Comment.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';
import { toast } from '#ui/toast.ts';
import { PolicyChangeDiff } from './PolicyChangeDiff.tsx';

export interface PolicyChangeAction {
  kind: 'approve' | 'reject' | 'withdraw';
  change: PolicyChange;
}

/** The dialog of an action on a pending change of a policy; undefined shows none. */
export function PolicyChangeDialog({
  action,
  onClose,
}: {
  action: PolicyChangeAction | undefined;
  onClose: () => void;
}) {
  if (!action) return null;
  return action.kind === 'withdraw' ? (
    <WithdrawDialog change={action.change} onClose={onClose} />
  ) : (
    <DecideDialog approve={action.kind === 'approve'} change={action.change} onClose={onClose} />
  );
}

function DecideDialog({ approve, change, onClose }: { approve: boolean; change: PolicyChange; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const decide = useChange(
    () => call(decidePolicyChange, { params: { changeId: change.id }, body: { approve, reason } }),
    () => {
      toast.success(approve ? `The change of ${change.name} is active.` : 'The change is rejected.');
      onClose();
    },
    { quiet: true },
  );
  const isOwn = change.allowed.withdraw;
  return (
    <FormDialog
      title={approve ? 'Approve this change' : 'Reject this change'}
      submit={approve ? 'Approve' : 'Reject'}
      danger={!approve}
      ready={reason.trim().length >= MIN_POLICY_DECISION_REASON_LENGTH}
      width={560}
      pending={decide.isPending}
      problem={decide.error ? errorMessageOf(decide.error, 'Not saved. Your input is unchanged.') : undefined}
      onClose={onClose}
      onSubmit={() => decide.mutate()}
    >
      <p>
        {isOwn
          ? 'No other member can approve this change. Your approval of your own request is recorded, and every evaluation reports it as not independently approved.'
          : `${change.requestedBy.name} requested this change of ${change.name}. It applies to activity after an approval.`}
      </p>
      <PolicyChangeDiff change={change} />
      <Comment
        label="Reason"
        description={`${MIN_POLICY_DECISION_REASON_LENGTH} characters or more`}
        placeholder={
          approve ? 'For the audit: why is the lower requirement acceptable?' : 'For the requester and the audit'
        }
        required
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}

function WithdrawDialog({ change, onClose }: { change: PolicyChange; onClose: () => void }) {
  const withdraw = useChange(
    () => call(withdrawPolicyChange, { params: { changeId: change.id } }),
    () => {
      toast.success('The change is withdrawn.');
      onClose();
    },
  );
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title="Withdraw this change?"
      confirm="Withdraw change"
      pending={withdraw.isPending}
      onConfirm={() => withdraw.mutate()}
    >
      {`The change of ${change.name} no longer needs a decision. You can request it again.`}
    </ConfirmDialog>
  );
}
