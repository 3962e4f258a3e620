import { Menu } from '@mantine/core';
import type { QueuedJob } from '@sightline/contract/platform/operator.ts';
import { IconBan, IconListDetails, IconRefresh } from '@tabler/icons-react';
import { RowMenu } from '#ui/RowMenu.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { jobStateBadges } from './jobStates.ts';
import s from './Operator.module.css';

interface JobActions {
  onOpen: (job: QueuedJob) => void;
  onRetry: (job: QueuedJob) => void;
  onCancel: (job: QueuedJob) => void;
}

export const jobColumns = ({ onOpen, onRetry, onCancel }: JobActions): readonly Column<QueuedJob>[] => [
  {
    key: 'job',
    header: 'Job',
    width: 250,
    place: 'main',
    cell: (job) => (
      <span className={s.two}>
        <button type="button" className={`mono truncate ${s.open}`} onClick={() => onOpen(job)}>
          {job.queue}
        </button>
        <span className="dim">{job.organization?.name ?? 'Whole installation'}</span>
      </span>
    ),
  },
  {
    key: 'state',
    header: 'Status',
    width: 120,
    place: 'side',
    cell: ({ state }) => <StatusDot tone={jobStateBadges[state][0]}>{jobStateBadges[state][1]}</StatusDot>,
  },
  {
    key: 'cause',
    header: 'Last error',
    place: 'meta',
    cell: ({ cause }) =>
      cause === null ? <span className="dim">None</span> : <span className={s.cause}>{cause}</span>,
  },
  {
    key: 'attempts',
    header: 'Attempts',
    width: 100,
    cell: ({ attempts, maxAttempts }) => (
      <span className="num">
        {attempts} of {maxAttempts}
      </span>
    ),
  },
  {
    key: 'changed',
    header: 'Last change',
    sort: 'date',
    firstDirection: 'desc',
    width: 140,
    place: 'metaEnd',
    cell: ({ failedAt, startedAt, createdAt }) => <TimeAgo at={failedAt ?? startedAt ?? createdAt} />,
  },
  {
    key: 'menu',
    header: <span className="vh">Actions</span>,
    width: 52,
    place: 'menu',
    cell: (job) => (
      <RowMenu label={`Actions for ${job.queue}`}>
        <Menu.Item leftSection={<IconListDetails size={15} aria-hidden />} onClick={() => onOpen(job)}>
          Show details
        </Menu.Item>
        {job.canRetry && (
          <Menu.Item leftSection={<IconRefresh size={15} aria-hidden />} onClick={() => onRetry(job)}>
            Retry now
          </Menu.Item>
        )}
        {job.canCancel && (
          <Menu.Item leftSection={<IconBan size={15} aria-hidden />} onClick={() => onCancel(job)}>
            Cancel job
          </Menu.Item>
        )}
      </RowMenu>
    ),
  },
];
