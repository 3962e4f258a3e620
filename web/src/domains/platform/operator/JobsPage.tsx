import {
  cancelQueuedJob,
  jobStates,
  listJobQueues,
  listQueuedJobs,
  type QueuedJob,
  retryQueuedJob,
} from '@sightline/contract/platform/operator.ts';
import { IconChecks } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { announce } from '#ui/announce.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { JobDialog } from './JobDialog.tsx';
import { jobColumns } from './jobColumns.tsx';
import { jobStateBadges } from './jobStates.ts';
import s from './Operator.module.css';
import { OperatorPage, operatorPaths, REFETCH_MS } from './OperatorPage.tsx';
import { QueuesTable } from './QueuesTable.tsx';

const paramsOf = ({ queue, id }: QueuedJob) => ({ params: { queue, jobId: id } });

/** Shows operators the queues of the installation, and the jobs that have not succeeded. */
export function JobsPage() {
  const queues = useQuery({ ...endpointQuery(listJobQueues, {}), meta: { quiet: true }, refetchInterval: REFETCH_MS });
  const list = usePagedList(listQueuedJobs, { refetchMs: REFETCH_MS });
  const [opened, setOpened] = useState<QueuedJob>();
  const [canceling, setCanceling] = useState<QueuedJob>();
  const { query, setQuery } = list;
  const retry = useChange(
    (job: QueuedJob) => call(retryQueuedJob, paramsOf(job)),
    () => {
      setOpened(undefined);
      announce('The job runs now.');
    },
  );
  const cancel = useChange(
    (job: QueuedJob) => call(cancelQueuedJob, paramsOf(job)),
    () => {
      setCanceling(undefined);
      announce('The job is canceled.');
    },
  );
  const askToCancel = (job: QueuedJob) => {
    setOpened(undefined);
    setCanceling(job);
  };
  return (
    <OperatorPage current={operatorPaths.jobs} failure={list.failure}>
      <h2 className={s.heading}>Queues</h2>
      <QueuesTable queues={queues.data} onOpen={(queue) => setQuery({ queue: [queue] })} />
      <h2 className={s.heading}>Jobs</h2>
      {!list.isEmptyUnfiltered && !list.failure && (
        <Filters>
          <SearchBox
            label="Search by job, request or organization ID"
            value={query.search}
            onChange={(search) => setQuery({ search })}
          />
          <MultiSelect
            name="Status"
            options={jobStates.map((value) => ({ value, label: jobStateBadges[value][1] }))}
            values={query.state}
            onChange={(state) => setQuery({ state: state as typeof query.state })}
            emptyText="No statuses available"
          />
          <MultiSelect
            name="Queue"
            options={(queues.data ?? []).map(({ name }) => ({ value: name, label: name }))}
            values={query.queue}
            onChange={(queue) => setQuery({ queue })}
            emptyText="No queues available"
          />
        </Filters>
      )}
      <PagedTable
        list={list}
        label="Background jobs"
        noun="background jobs"
        tall
        columns={jobColumns({ onOpen: setOpened, onRetry: retry.mutate, onCancel: setCanceling })}
        rowKey={({ id }) => id}
        empty={
          <Empty kind="nothing-yet" title="No unfinished jobs" icon={<IconChecks size={19} stroke={1.6} />}>
            Jobs that are queued, running or failed appear here. All earlier jobs succeeded.
          </Empty>
        }
        noMatch="No job matches"
        filters={[
          ...query.state.map((state) => `Status: ${jobStateBadges[state][1]}`),
          ...query.queue.map((queue) => `Queue: ${queue}`),
        ]}
      />
      {opened && (
        <JobDialog
          job={opened}
          isRetrying={retry.isPending}
          onRetry={() => retry.mutate(opened)}
          onCancel={() => askToCancel(opened)}
          onClose={() => setOpened(undefined)}
        />
      )}
      <ConfirmDialog
        opened={canceling !== undefined}
        onClose={() => setCanceling(undefined)}
        title={`Cancel the job ${canceling?.queue ?? ''}?`}
        confirm="Cancel job"
        pending={cancel.isPending}
        onConfirm={() => canceling && cancel.mutate(canceling)}
      >
        A schedule queues this work again. Until then, the data of {canceling?.organization?.name ?? 'the installation'}{' '}
        may be out of date.
      </ConfirmDialog>
    </OperatorPage>
  );
}
