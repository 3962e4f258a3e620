import { getFindingStats, type listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { useAsOf } from '#lib/as-of.ts';
import { useColumnChoice } from '#lib/column-choice.ts';
import type { PagedList, QueryOf } from '#lib/paged-list.ts';
import { useSelection } from '#lib/selection.ts';
import { useUrlQuery } from '#lib/url-query.ts';
import { AsOfBanner } from '#ui/AsOfBanner.tsx';
import { AsOfButton } from '#ui/AsOfButton.tsx';
import { ColumnSelect } from '#ui/ColumnSelect.tsx';
import { Empty } from '#ui/Empty.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { selectionColumn } from '#ui/selectionColumn.tsx';
import { FindingFilters } from './FindingFilters.tsx';
import { FindingsStats } from './FindingsStats.tsx';
import { findingColumns, optionalFindingColumns } from './findingColumns.tsx';
import { type FindingQuery, findingFilterTexts, findingHref, findingsFilterOf } from './findingsQuery.ts';
import { GroupBySelect, groupQuery } from './GroupBySelect.tsx';
import { NoFindings } from './NoFindings.tsx';
import { useFilterChoices } from './useFilterChoices.ts';
import { useTriageRights } from './useTriageRights.ts';

// Loaded after the list, which most members only read.
const FindingSelectionBar = lazy(async () => ({
  default: (await import('./FindingSelectionBar.tsx')).FindingSelectionBar,
}));
const FindingGroupsTable = lazy(async () => ({
  default: (await import('./FindingGroupsTable.tsx')).FindingGroupsTable,
}));

interface FindingsListProps {
  list: PagedList<typeof listFindings>;
  /** Limits the list to one repository; undefined shows all. */
  repository?: string | undefined;
}

/** Shows statistics, filters and findings. */
export function FindingsList({ list, repository }: FindingsListProps) {
  const single = repository !== undefined;
  // The complete query, because the address of the list of one repository omits the repository.
  const fullQuery: FindingQuery = {
    ...list.query,
    ...(single && { repository: [repository], from: 'repository' as const }),
  };
  const stats = useFindingStats(fullQuery);
  const choices = useFilterChoices(fullQuery, !single);
  const rights = useTriageRights();
  const { setQuery } = list;
  const isCurrent = list.query.ledgerSize === undefined;
  const asOf = useAsOf(list.query.ledgerSize, (ledgerSize) => setQuery({ introducedBy: undefined, ledgerSize }));
  const selects = rights.request && isCurrent;
  const filter = findingsFilterOf(fullQuery);
  const selection = useSelection(JSON.stringify(filter), list.rows ?? []);
  const {
    columns,
    choices: columnChoices,
    shown,
    choose,
  } = useColumnChoice(findingColumns(fullQuery), optionalFindingColumns);
  const [{ group: chosenGroup }, setGroup] = useUrlQuery(groupQuery);
  const group = isCurrent ? chosenGroup : undefined;
  const isUnscanned = isCurrent && list.isEmptyUnfiltered && stats !== undefined && stats.lastScanAt === null;
  return (
    <>
      <AsOfBanner asOf={asOf}>
        Names of members, repositories and scanners are those of today. Introducing commits were not recorded.
      </AsOfBanner>
      {!isUnscanned && (
        <>
          {isCurrent && (
            <FindingsStats
              stats={stats}
              query={list.query}
              onSeverity={(severity) => list.setQuery({ severity })}
              single={single}
            />
          )}
          <FindingFilters
            query={list.query}
            setQuery={list.setQuery}
            choices={choices}
            withRepositories={!single}
            isFiltered={list.isFiltered}
            onClear={list.clear}
          >
            <AsOfButton asOf={asOf} />
            {isCurrent && (
              <GroupBySelect value={group} withRepositories={!single} onChange={(next) => setGroup({ group: next })} />
            )}
            {group === undefined && <ColumnSelect choices={columnChoices} shown={shown} onChange={choose} />}
          </FindingFilters>
        </>
      )}
      {group === undefined ? (
        <PagedTable
          list={list}
          label="Vulnerabilities"
          noun="vulnerabilities"
          columns={selects ? [selectionColumn(list.rows ?? [], selection, ({ title }) => title), ...columns] : columns}
          rowKey={({ id }) => id}
          rowHref={({ id }) => findingHref(id, fullQuery)}
          tall
          empty={
            isCurrent ? (
              <NoFindings
                stats={stats}
                single={single}
                onShowClosed={() => list.setQuery({ status: ['dismissed', 'exception', 'fixed'] })}
              />
            ) : (
              <Empty kind="nothing-yet" title="No open vulnerabilities recorded">
                The ledger had recorded no open vulnerability at this size.
              </Empty>
            )
          }
          noMatch="No vulnerability matches"
          filters={findingFilterTexts(list.query, choices.nameOf)}
        />
      ) : (
        <Suspense>
          <FindingGroupsTable by={group} list={fullQuery} filter={filter} />
        </Suspense>
      )}
      {selects && group === undefined && (
        <Suspense>
          <FindingSelectionBar selection={selection} filter={filter} total={list.total} />
        </Suspense>
      )}
    </>
  );
}

/** Fetches the statistics. Change notices of scans refresh them, so they may be stale otherwise (spec 9). */
export const useFindingStats = (query: QueryOf<typeof listFindings>) =>
  useQuery({
    ...endpointQuery(getFindingStats, { query: findingsFilterOf(query) }),
    staleTime: 600_000,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  }).data;
