import {
  type FindingGrouping,
  type FindingGroups,
  listFindingGroups,
} from '@sightline/contract/vulnerabilities/findings.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import { RowName } from '#ui/RowTitle.tsx';
import type { Column } from '../../../ui/column.ts';
import { type FindingQuery, type FindingsFilter, findingsListHref } from './findingsQuery.ts';
import { groupingNames } from './GroupBySelect.tsx';

type FindingGroup = FindingGroups['groups'][number];

interface FindingGroupsTableProps {
  by: FindingGrouping;
  /** The list whose findings are grouped, for the links to its parts. */
  list: FindingQuery;
  filter: FindingsFilter;
}

/** Lists groups of findings with their number. Each links to its findings. */
export function FindingGroupsTable({ by, list, filter }: FindingGroupsTableProps) {
  const result = useQuery({
    ...endpointQuery(listFindingGroups, { query: { ...filter, by } }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  if (result.error && !result.data) {
    return (
      <Panel flush>
        <Failure title="The groups could not be loaded" error={result.error} onRetry={() => void result.refetch()} />
      </Panel>
    );
  }
  const groups = result.data?.groups;
  const others = result.data?.others ?? 0;
  return (
    <Panel flush>
      <DataTable
        label={`Vulnerabilities by ${groupingNames[by].toLowerCase()}`}
        columns={columnsOf(by)}
        rows={groups}
        rowKey={({ value }) => value ?? ''}
        rowHref={({ value }) =>
          // Findings in code have no component to filter by: their list is the whole list.
          findingsListHref({ ...list, page: 1, from: undefined, ...(value !== null && { [by]: [value] }) })
        }
        stale={result.isPlaceholderData}
        empty={
          <Empty kind="no-match" title="No vulnerability matches">
            No vulnerabilities match the filters.
          </Empty>
        }
      />
      {others > 0 && (
        <p className="dim" style={{ padding: '8px 16px' }}>
          {number.format(others)} more vulnerabilities are in smaller groups. Filter the list to see them.
        </p>
      )}
    </Panel>
  );
}

const columnsOf = (by: FindingGrouping): Column<FindingGroup>[] => [
  {
    key: 'group',
    header: groupingNames[by],
    place: 'main',
    cell: ({ label }) => <RowName>{label}</RowName>,
  },
  {
    key: 'count',
    header: 'Vulnerabilities',
    width: 144,
    place: 'side',
    cell: ({ count }) => <span className="num">{number.format(count)}</span>,
  },
];

const number = new Intl.NumberFormat('en-GB');
