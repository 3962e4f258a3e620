import { reopenFindings } from '@sightline/contract/vulnerabilities/triage.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { Comment } from '#ui/Comment.tsx';
import { SkippedFindings } from '#ui/SkippedFindings.tsx';
import { toast } from '#ui/toast.ts';
import { DecisionDialog } from './DecisionDialog.tsx';
import { type TriageTarget, targetsText } from './targets.ts';

interface ReopenDialogProps {
  targets: readonly TriageTarget[];
  onClose: () => void;
  onDone?: (() => void) | undefined;
}

/** Revokes a dismissal or a waiver. */
export function ReopenDialog({ targets, onClose, onDone }: ReopenDialogProps) {
  const [comment, setComment] = useState('');
  const reopen = useChange(
    () => call(reopenFindings, { body: { ids: targets.map(({ id }) => id), comment } }),
    ({ changed, skipped }) => {
      if (changed.length > 0) {
        onDone?.();
        const changedTargets = targets.filter(({ id }) => changed.includes(id));
        toast.success(`${targetsText(changedTargets)} ${changedTargets.length === 1 ? 'counts' : 'count'} again.`);
      }
      if (skipped.length === 0) onClose();
    },
    { quiet: true },
  );
  if (reopen.data && reopen.data.skipped.length > 0) {
    return <SkippedFindings outcome={reopen.data} findings={targets} done="reopened" onClose={onClose} />;
  }
  return (
    <DecisionDialog
      title={`Reopen ${targetsText(targets)}`}
      confirm={targets.length === 1 ? 'Reopen' : `Reopen ${targets.length}`}
      pending={reopen.isPending}
      error={reopen.error}
      onClose={onClose}
      onConfirm={() => reopen.mutate(undefined)}
    >
      <p className="dim">
        Revokes the dismissal or waiver. It counts as open on every branch where a scanner reports it. Earlier decisions
        stay in its activity.
      </p>
      <Comment label="Comment (optional)" value={comment} onChange={setComment} />
    </DecisionDialog>
  );
}
