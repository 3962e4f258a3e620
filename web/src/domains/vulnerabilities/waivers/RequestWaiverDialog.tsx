import { Button, TextInput } from '@mantine/core';
import {
  MAX_WAIVER_DAYS,
  MIN_WAIVER_REASON_LENGTH,
  requestFindingWaivers,
  requestWaiver,
} from '@sightline/contract/vulnerabilities/waivers.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Comment } from '#ui/Comment.tsx';
import { dateFieldAfterDays, endOfDay } from '#ui/days.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { evaluatedItemName } from '#ui/item-name.ts';
import { SkippedFindings } from '#ui/SkippedFindings.tsx';
import { toast } from '#ui/toast.ts';
import s from './Waivers.module.css';
import type { WaiverSubject } from './waiver-action.ts';

const presets = [30, 60, 90] as const;
// The waiver includes the entire last day, which must end within the maximum duration.
const maxDaysAhead = MAX_WAIVER_DAYS - 1;

interface RequestWaiverDialogProps {
  subject: WaiverSubject;
  onClose: () => void;
  onRequested?: (() => void) | undefined;
}

/** Requests a waiver until a day. Another person must approve it. */
export function RequestWaiverDialog({ subject, onClose, onRequested }: RequestWaiverDialogProps) {
  const [day, setDay] = useState<string>(dateFieldAfterDays(presets[0]));
  const [reason, setReason] = useState('');
  const until = day >= dateFieldAfterDays(1) && day <= dateFieldAfterDays(maxDaysAhead) ? endOfDay(day) : undefined;
  const request = useChange(
    (end: string) => sendRequest(subject, { reason, until: end }),
    ({ changed, skipped }) => {
      if (changed.length > 0) {
        onRequested?.();
        toast.success('Request sent. Another Account Owner or Digest Reviewer must approve it.');
      }
      if (skipped.length === 0) onClose();
    },
    { quiet: true },
  );
  if ('findings' in subject && request.data && request.data.skipped.length > 0) {
    return <SkippedFindings outcome={request.data} findings={subject.findings} done="requested" onClose={onClose} />;
  }
  return (
    <FormDialog
      title={`Request a waiver for ${subjectText(subject)}`}
      submit="Send request"
      ready={until !== undefined && reason.trim().length >= MIN_WAIVER_REASON_LENGTH}
      width={480}
      pending={request.isPending}
      problem={request.error ? errorMessageOf(request.error, 'Not sent. Your input is unchanged.') : undefined}
      onClose={onClose}
      onSubmit={() => until && request.mutate(until)}
    >
      <p className="dim">
        After another person approves it, the waiver applies until the end of that day.{' '}
        {'findings' in subject
          ? 'The vulnerability then counts as open again.'
          : `The item then counts for ${subject.control} again. Earlier failures are not waived.`}
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
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}

async function sendRequest(subject: WaiverSubject, terms: { reason: string; until: string }) {
  if ('findings' in subject) {
    return call(requestFindingWaivers, { body: { ids: subject.findings.map(({ id }) => id), ...terms } });
  }
  const { id } = await call(requestWaiver, { body: { ...subject, ...terms } });
  return { changed: [id], skipped: [] };
}

function subjectText(subject: WaiverSubject): string {
  if (!('findings' in subject)) return evaluatedItemName(subject.subject);
  const [first, ...others] = subject.findings;
  return first && others.length === 0 ? `“${first.title}”` : `${subject.findings.length} vulnerabilities`;
}
