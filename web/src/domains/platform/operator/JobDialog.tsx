import { Button } from '@mantine/core';
import type { QueuedJob } from '@sightline/contract/platform/operator.ts';
import type { ReactNode } from 'react';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Facts } from '#ui/Facts.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { jobStateBadges } from './jobStates.ts';
import s from './Operator.module.css';

interface JobDialogProps {
  job: QueuedJob;
  isRetrying: boolean;
  onRetry: () => void;
  onCancel: () => void;
  onClose: () => void;
}

/** Shows what is known about a job, without its data. */
export const JobDialog = ({ job, isRetrying, onRetry, onCancel, onClose }: JobDialogProps) => (
  <Dialog
    title={job.queue}
    opened
    onClose={onClose}
    width={640}
    actions={
      <>
        {job.requestId !== null && <CopyButton value={job.requestId} label="Copy request ID" />}
        {job.canCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel job
          </Button>
        )}
        {job.canRetry && (
          <Button loading={isRetrying} onClick={onRetry}>
            Retry now
          </Button>
        )}
      </>
    }
  >
    <Facts side items={factsOf(job)} />
  </Dialog>
);

const code = (text: string) => <span className={`mono ${s.wrap}`}>{text}</span>;
const time = (term: string, at: string | null): (readonly [string, ReactNode])[] =>
  at === null ? [] : [[term, <TimeAgo key={term} at={at} />]];

function factsOf(job: QueuedJob): readonly (readonly [string, ReactNode])[] {
  const [tone, label] = jobStateBadges[job.state];
  return [
    [
      'Status',
      <StatusDot key="status" tone={tone}>
        {label}
      </StatusDot>,
    ],
    [
      'Last error',
      <span key="cause" className={s.wrap}>
        {job.cause ?? 'None'}
      </span>,
    ],
    ['Organization', job.organization?.name ?? 'Whole installation'],
    ['Attempts', `${job.attempts} of ${job.maxAttempts}`],
    ...time('Queued', job.createdAt),
    ...time('Last attempt', job.startedAt),
    ...time('Failed', job.failedAt),
    ...time('Next attempt', job.nextAttemptAt),
    ['Request ID', job.requestId === null ? 'None: a schedule queued this job.' : code(job.requestId)],
    ['Job ID', code(job.id)],
    ...(job.organization ? [['Organization ID', code(job.organization.id)] as const] : []),
  ];
}
