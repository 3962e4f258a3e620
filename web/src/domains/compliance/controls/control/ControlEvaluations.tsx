import { type ControlRun, listControlRuns } from '@sightline/contract/compliance/control-runs.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { stringifySearch } from '#lib/search-params.ts';
import { patchSearch } from '#lib/url-query.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Link } from '#ui/Link.tsx';
import { Pagination } from '#ui/Pagination.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { VerdictBar } from '#ui/VerdictBar.tsx';
import { statusBadges } from '#ui/verdicts.ts';
import type { Column } from '../../../../ui/column.ts';
import s from './Control.module.css';
import { type ControlQuery, controlQuery } from './controlQuery.ts';

/** Lists the evaluations of the control for the period. Evaluations at one checkpoint have the same items hash. */
export function ControlEvaluations({ id, period, query }: { id: ControlId; period: string; query: ControlQuery }) {
  const [page, setPage] = useState(1);
  const [perPage, setPerPage] = useState(10);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...endpointQuery(listControlRuns, { params: { id }, query: { period, page, perPage } }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  if (error && !data) {
    return (
      <Panel>
        <Failure title="The evaluations could not be loaded" error={error} onRetry={() => void refetch()} />
      </Panel>
    );
  }
  return (
    <Panel flush>
      <DataTable
        tall
        label={`Evaluations of ${id}`}
        columns={columnsOf(id, query)}
        rows={data?.rows}
        rowKey={(run) => run.id}
        stale={isPlaceholderData}
        empty={
          <Empty kind="nothing-yet" title="Not evaluated for this period">
            Controls are evaluated every night. Reviewers and Account Owners can also start an evaluation.
          </Empty>
        }
      />
      <Pagination
        page={page}
        perPage={perPage}
        total={data?.total ?? 0}
        onPage={setPage}
        onPerPage={(next) => {
          setPerPage(next);
          setPage(1);
        }}
      />
    </Panel>
  );
}

const asOfText = ({ asOfEpoch, asOfSize }: ControlRun) => `${asOfEpoch}.${asOfSize}`;

const columnsOf = (id: ControlId, { period }: ControlQuery): readonly Column<ControlRun>[] => [
  { key: 'when', header: 'Evaluated', place: 'main', width: 140, cell: ({ runAt }) => <TimeAgo at={runAt} /> },
  {
    key: 'status',
    header: 'Status',
    width: 148,
    place: 'side',
    cell: ({ status }) => <StatusBadge tone={statusBadges[status][0]}>{statusBadges[status][1]}</StatusBadge>,
  },
  {
    key: 'asOf',
    header: 'Ledger size',
    width: 150,
    cell: (run) => (
      <Link
        className="link num"
        href={`/evidence/controls/${id}${stringifySearch(patchSearch(controlQuery, {}, { period, asOf: asOfText(run) }))}`}
      >
        {new Intl.NumberFormat('en-GB').format(run.asOfSize)}
      </Link>
    ),
  },
  { key: 'rows', header: 'Items', place: 'meta', width: 240, cell: ({ counts }) => <VerdictBar counts={counts} /> },
  {
    key: 'hash',
    header: 'Items hash',
    cell: ({ rowsSha256 }) => (
      <code className={`truncate ${s.hash}`} title={rowsSha256}>
        {rowsSha256.slice(0, 16)}
      </code>
    ),
  },
];
