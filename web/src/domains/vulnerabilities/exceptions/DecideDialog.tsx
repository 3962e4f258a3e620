import { decideWaiver, type WaiverListItem } from '@sightline/contract/vulnerabilities/exceptions.ts';
import { decideFindingWaiver } from '@sightline/contract/vulnerabilities/triage.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Comment } from '#ui/Comment.tsx';
import { formatDay } from '#ui/days.ts';
import { Facts } from '#ui/Facts.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { toast } from '#ui/toast.ts';
import s from './Exceptions.module.css';
import { nameOf } from './leaveColumns.tsx';
import { useLeaveChange } from './useLeaveChange.ts';

export interface DecisionRequest {
  action: 'approve' | 'refuse' | 'end';
  leave: WaiverListItem;
}

/** Shows who asked, for what, how long and why, and takes the answer. */
export function DecideDialog({ asked: { action, leave }, onClose }: { asked: DecisionRequest; onClose: () => void }) {
  const [comment, setComment] = useState('');
  const approve = action === 'approve';
  const body = { approve, comment };
  const { id: exceptionId, finding } = leave;
  const decide = useLeaveChange(
    () =>
      finding
        ? call(decideFindingWaiver, { params: { findingId: finding.id, exceptionId }, body })
        : call(decideWaiver, { params: { exceptionId }, body }),
    () => {
      toast.success(approve ? `Approved until ${formatDay(leave.until)}.` : 'Denied. The item still counts.');
      onClose();
    },
  );
  return (
    <FormDialog
      title={approve ? 'Approve this waiver' : 'Deny this waiver'}
      submit={approve ? 'Approve' : 'Deny'}
      ready
      width={480}
      pending={decide.isPending}
      problem={decide.error ? errorMessageOf(decide.error, 'Not saved. Your input is unchanged.') : undefined}
      onClose={onClose}
      onSubmit={() => decide.mutate(undefined)}
    >
      <div className={s.asked}>
        <Facts
          side
          items={[
            ['Control', leave.control],
            ['For', nameOf(leave)],
            [
              'Requested by',
              <span key="by">
                {leave.requestedBy.name}, <TimeAgo at={leave.requestedAt} />
              </span>,
            ],
            ['Until', formatDay(leave.until)],
            ['Reason', <q key="why">{leave.reason}</q>],
          ]}
        />
      </div>
      <Comment label="Comment (optional)" value={comment} onChange={setComment} />
    </FormDialog>
  );
}
