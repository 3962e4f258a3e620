import { Radio } from '@mantine/core';
import {
  type DismissReason,
  dismissFindings,
  dismissReasonNames,
  dismissReasons,
  reopenFindings,
  secretReasons,
} from '@sightline/contract/vulnerabilities/triage.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { Comment } from '#ui/Comment.tsx';
import { SkippedFindings } from '#ui/SkippedFindings.tsx';
import { toast } from '#ui/toast.ts';
import { DecisionDialog } from './DecisionDialog.tsx';
import s from './Triage.module.css';
import { type TriageTarget, targetsText } from './targets.ts';

const descriptions: Record<DismissReason, string> = {
  false_positive: 'The scanner result is wrong.',
  not_exploitable: 'The vulnerability exists but cannot be exploited.',
  used_in_tests: 'The code never runs in production.',
  mitigated: 'Other measures mitigate it.',
  will_not_fix: 'The risk is accepted permanently.',
  rotated: 'The secret was replaced and the old one is invalid.',
  revoked: 'The secret gives no access.',
};

interface DismissDialogProps {
  targets: readonly TriageTarget[];
  onClose: () => void;
  /** Called when at least one finding was dismissed. */
  onDone?: (() => void) | undefined;
}

/** Dismisses findings with a reason, and offers Undo. */
export function DismissDialog({ targets, onClose, onDone }: DismissDialogProps) {
  const secrets = targets.every(({ category }) => category === 'secret');
  const [reason, setReason] = useState<DismissReason>();
  const [comment, setComment] = useState('');
  const undo = useChange(
    (ids: string[]) => call(reopenFindings, { body: { ids, comment: 'Undone.' } }),
    (_outcome, ids) => {
      const changedTargets = targets.filter(({ id }) => ids.includes(id));
      toast.success(`${targetsText(changedTargets)} ${changedTargets.length === 1 ? 'counts' : 'count'} again.`);
    },
    { failed: 'Undo failed. Reopen it instead.' },
  );
  const dismiss = useChange(
    (why: DismissReason) => call(dismissFindings, { body: { ids: targets.map(({ id }) => id), reason: why, comment } }),
    ({ changed, skipped }) => {
      if (changed.length > 0) {
        onDone?.();
        const changedTargets = targets.filter(({ id }) => changed.includes(id));
        toast.offer(
          `${targetsText(changedTargets)} ${changedTargets.length === 1 ? 'is' : 'are'} dismissed.`,
          'Undo',
          () => undo.mutate(changed),
        );
      }
      if (skipped.length === 0) onClose();
    },
    { quiet: true },
  );
  if (dismiss.data && dismiss.data.skipped.length > 0) {
    return <SkippedFindings outcome={dismiss.data} findings={targets} done="dismissed" onClose={onClose} />;
  }
  return (
    <DecisionDialog
      title={`Dismiss ${targetsText(targets)}`}
      confirm={targets.length === 1 ? 'Dismiss' : `Dismiss ${targets.length}`}
      incomplete={reason === undefined}
      pending={dismiss.isPending}
      error={dismiss.error}
      onClose={onClose}
      onConfirm={() => reason && dismiss.mutate(reason)}
    >
      <p className="dim">
        {targets.length === 1 ? 'It no longer counts as open, and stays' : 'They no longer count as open, and stay'} so
        when a scanner reports {targets.length === 1 ? 'it' : 'them'} again. You can reopen it at any time.
      </p>
      <Radio.Group
        label="Reason"
        value={reason ?? null}
        onChange={(value) => setReason(value as DismissReason)}
        className={s.reasons ?? ''}
      >
        {dismissReasons
          .filter((value) => secrets || !secretReasons.includes(value))
          .map((value, index) => (
            <Radio
              key={value}
              value={value}
              label={dismissReasonNames[value]}
              description={descriptions[value]}
              classNames={{ description: s.explained ?? '' }}
              data-autofocus={index === 0 || undefined}
            />
          ))}
      </Radio.Group>
      <Comment
        label="Comment (optional)"
        placeholder="Information for the next reviewer"
        value={comment}
        onChange={setComment}
      />
    </DecisionDialog>
  );
}
