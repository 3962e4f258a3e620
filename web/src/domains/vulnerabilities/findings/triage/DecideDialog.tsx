import { decideFindingWaiver } from '@sightline/contract/vulnerabilities/triage.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { Comment } from '#ui/Comment.tsx';
import { formatDay } from '#ui/days.ts';
import { Facts } from '#ui/Facts.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { toast } from '#ui/toast.ts';
import { DecisionDialog } from './DecisionDialog.tsx';
import s from './Triage.module.css';
import type { TriageTarget, WaiverRequest } from './targets.ts';
import { useDecision } from './useDecision.ts';

interface DecideDialogProps {
  approve: boolean;
  target: TriageTarget;
  exception: WaiverRequest;
  onClose: () => void;
}

/** Shows requester, duration and reason of a waiver request, and approves or denies it. */
export function DecideDialog({ approve, target, exception, onClose }: DecideDialogProps) {
  const [comment, setComment] = useState('');
  const { id: exceptionId, until, requestedBy, requestedAt } = exception;
  const decide = useDecision(
    () => call(decideFindingWaiver, { params: { findingId: target.id, exceptionId }, body: { approve, comment } }),
    () => {
      toast.success(
        approve
          ? `Waived until ${formatDay(until)}.`
          : 'The request is denied. The vulnerability still counts as open.',
      );
      onClose();
    },
  );
  return (
    <DecisionDialog
      title={approve ? 'Approve this waiver' : 'Deny this waiver'}
      confirm={approve ? 'Approve' : 'Deny'}
      pending={decide.isPending}
      error={decide.error}
      onClose={onClose}
      onConfirm={() => decide.mutate(undefined)}
    >
      <div className={s.asked}>
        <Facts
          side
          items={[
            ['Vulnerability', target.title],
            [
              'Requested by',
              <span key="by">
                {requestedBy.name}, <TimeAgo at={requestedAt} />
              </span>,
            ],
            ['Until', formatDay(until)],
            ['Why', <q key="why">{exception.comment}</q>],
          ]}
        />
      </div>
      <Comment label="Comment (optional)" value={comment} onChange={setComment} />
    </DecisionDialog>
  );
}
