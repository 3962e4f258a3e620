import { Button, TextInput } from '@mantine/core';
import {
  MAX_WAIVER_DAYS,
  MIN_WAIVER_REASON_LENGTH,
  requestFindingWaivers,
} from '@sightline/contract/vulnerabilities/triage.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { Comment } from '#ui/Comment.tsx';
import { dateFieldAfterDays, endOfDay } from '#ui/days.ts';
import { toast } from '#ui/toast.ts';
import { DecisionDialog } from './DecisionDialog.tsx';
import { SkippedFindings } from './Skipped.tsx';
import s from './Triage.module.css';
import { type TriageTarget, targetsText } from './targets.ts';
import { useDecision } from './useDecision.ts';

const presets = [30, 60, 90] as const;
// The waiver includes the entire last day, which must end within the maximum duration.
const maxDaysAhead = MAX_WAIVER_DAYS - 1;

interface RequestDialogProps {
  targets: readonly TriageTarget[];
  onClose: () => void;
  onDone?: (() => void) | undefined;
}

/** Requests a waiver until a day. Another person must approve it. */
export function RequestDialog({ targets, onClose, onDone }: RequestDialogProps) {
  const [day, setDay] = useState<string>(dateFieldAfterDays(presets[0]));
  const [comment, setComment] = useState('');
  const until = day >= dateFieldAfterDays(1) && day <= dateFieldAfterDays(maxDaysAhead) ? endOfDay(day) : undefined;
  const request = useDecision(
    (end: string) => call(requestFindingWaivers, { body: { ids: targets.map(({ id }) => id), until: end, comment } }),
    ({ changed, skipped }) => {
      if (changed.length > 0) {
        onDone?.();
        toast.success('Request sent. Another Account Owner or Digest Reviewer must approve it.');
      }
      if (skipped.length === 0) onClose();
    },
  );
  if (request.data && request.data.skipped.length > 0) {
    return <SkippedFindings outcome={request.data} targets={targets} done="requested" onClose={onClose} />;
  }
  return (
    <DecisionDialog
      title={`Request a waiver for ${targetsText(targets)}`}
      confirm="Send request"
      incomplete={until === undefined || comment.trim().length < MIN_WAIVER_REASON_LENGTH}
      pending={request.isPending}
      error={request.error}
      onClose={onClose}
      onConfirm={() => until && request.mutate(until)}
    >
      <p className="dim">
        After another person approves it, the waiver applies until the end of that day. The vulnerability then counts as
        open again.
      </p>
      <div className={s.until}>
        <TextInput
          type="date"
          label="Waive until"
          value={day}
          min={dateFieldAfterDays(1)}
          max={dateFieldAfterDays(maxDaysAhead)}
          error={until === undefined && `Choose a day from tomorrow to ${maxDaysAhead} days ahead`}
          onChange={({ currentTarget }) => setDay(currentTarget.value)}
        />
        <fieldset className={s.presets} aria-label="Number of days">
          {presets.map((days) => (
            <Button
              key={days}
              variant="default"
              aria-pressed={day === dateFieldAfterDays(days)}
              data-on={day === dateFieldAfterDays(days) || undefined}
              onClick={() => setDay(dateFieldAfterDays(days))}
            >
              {days} days
            </Button>
          ))}
        </fieldset>
      </div>
      <Comment
        label="Reason"
        description={`${MIN_WAIVER_REASON_LENGTH} characters or more`}
        placeholder="For the approver and the audit: which measures limit the risk until then?"
        required
        value={comment}
        onChange={setComment}
      />
    </DecisionDialog>
  );
}
