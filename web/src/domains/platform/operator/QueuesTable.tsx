import type { JobQueue } from '@sightline/contract/platform/operator.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { durationText } from './jobStates.ts';
import s from './Operator.module.css';

interface QueuesTableProps {
  queues: readonly JobQueue[] | undefined;
  /** Shows the jobs of a queue. */
  onOpen: (queue: string) => void;
}

/** The queues with jobs, those with failed jobs first. */
export function QueuesTable({ queues, onOpen }: QueuesTableProps) {
  const rows = queues
    ?.filter(({ waiting, running, retrying, failed }) => waiting + running + retrying + failed > 0)
    .toSorted((one, other) => other.failed - one.failed || other.overdueSeconds - one.overdueSeconds);
  return (
    <div className={s.queues}>
      <Panel flush>
        <DataTable
          label="Queues with jobs"
          rows={rows}
          skeletonRows={3}
          columns={columnsOf(onOpen)}
          rowKey={({ name }) => name}
          empty={
            <Empty kind="nothing-yet" title="All queues are empty">
              Queues with queued, running or failed jobs appear here.
            </Empty>
          }
        />
      </Panel>
    </div>
  );
}

const number = (value: number) => <span className="num">{value.toLocaleString('en')}</span>;

const columnsOf = (onOpen: (queue: string) => void): readonly Column<JobQueue>[] => [
  {
    key: 'queue',
    header: 'Queue',
    place: 'main',
    cell: ({ name }) => (
      <button type="button" className={`mono ${s.open}`} onClick={() => onOpen(name)}>
        {name}
      </button>
    ),
  },
  {
    key: 'failed',
    header: 'Failed',
    width: 120,
    place: 'side',
    cell: ({ failed }) =>
      failed === 0 ? (
        <span className="dim">None failed</span>
      ) : (
        <StatusDot tone="red">{failed.toLocaleString('en')} failed</StatusDot>
      ),
  },
  { key: 'retrying', header: 'Retrying', width: 100, cell: ({ retrying }) => number(retrying) },
  { key: 'running', header: 'Running', width: 100, cell: ({ running }) => number(running) },
  { key: 'waiting', header: 'Queued', width: 100, cell: ({ waiting }) => number(waiting) },
  {
    key: 'delay',
    header: 'Delay',
    width: 130,
    place: 'meta',
    cell: ({ overdueSeconds }) => (overdueSeconds > 0 ? `${durationText(overdueSeconds)} overdue` : 'On time'),
  },
  {
    key: 'last',
    header: 'Last failure',
    width: 140,
    cell: ({ lastFailedAt }) =>
      lastFailedAt === null ? <span className="dim">None</span> : <TimeAgo at={lastFailedAt} />,
  },
];
