import { decideWaiver, type WaiverListItem } from '@sightline/contract/vulnerabilities/waivers.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Comment } from '#ui/Comment.tsx';
import { formatDay } from '#ui/days.ts';
import { Facts } from '#ui/Facts.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { toast } from '#ui/toast.ts';
import s from './Waivers.module.css';
import { waivedItemName } from './waiver-action.ts';

interface DecideWaiverDialogProps {
  approve: boolean;
  waiver: WaiverListItem;
  onClose: () => void;
}

/** Shows item, requester, end and reason of a waiver request, and approves or denies it. */
export function DecideWaiverDialog({ approve, waiver, onClose }: DecideWaiverDialogProps) {
  const [comment, setComment] = useState('');
  const decide = useChange(
    () => call(decideWaiver, { params: { waiverId: waiver.id }, body: { approve, comment } }),
    () => {
      toast.success(
        approve ? `Waived until ${formatDay(waiver.until)}.` : 'The request is denied. The item still counts.',
      );
      onClose();
    },
    { quiet: true },
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
      onSubmit={() => decide.mutate()}
    >
      <div className={s.facts}>
        <Facts
          side
          items={[
            ['Control', waiver.control],
            [waiver.finding ? 'Vulnerability' : 'Item', waivedItemName(waiver)],
            [
              'Requested by',
              <span key="by">
                <PersonName person={waiver.requestedBy} />, <TimeAgo at={waiver.requestedAt} />
              </span>,
            ],
            ['Until', formatDay(waiver.until)],
            ['Reason', <q key="reason">{waiver.reason}</q>],
          ]}
        />
      </div>
      <Comment label="Comment (optional)" value={comment} onChange={setComment} />
    </FormDialog>
  );
}
