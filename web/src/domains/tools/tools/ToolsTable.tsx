import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { useColumnChoice } from '#lib/column-choice.ts';
import { useSelection } from '#lib/selection.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { AsOfBanner } from '#ui/AsOfBanner.tsx';
import { AsOfButton } from '#ui/AsOfButton.tsx';
import { ColumnSelect } from '#ui/ColumnSelect.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { selectionColumn } from '#ui/selectionColumn.tsx';
import type { ToolDecisionRequest } from './DecideToolDialog.tsx';
import { NoTools } from './NoTools.tsx';
import { ToolFilterRow } from './ToolFilterRow.tsx';
import { toolColumns } from './toolColumns.tsx';
import { toolFilterTexts, toolHref, toolsFilterOf } from './toolsQuery.ts';
import type { ToolsList } from './useTools.ts';

// Loaded after the list, which most members only read.
const DecideToolDialog = lazy(async () => ({ default: (await import('./DecideToolDialog.tsx')).DecideToolDialog }));
const ToolSelectionBar = lazy(async () => ({ default: (await import('./ToolSelectionBar.tsx')).ToolSelectionBar }));

/** Filters and table; `isSingleRepository` for the list of one repository. */
export function ToolsTable({ list, isSingleRepository }: { list: ToolsList; isSingleRepository: boolean }) {
  const { filterOptions } = list;
  const [pendingDecision, setPendingDecision] = useState<ToolDecisionRequest>();
  const isArchived =
    useQuery({ ...endpointQuery(getOrganization, {}), meta: { quiet: true } }).data?.archivedAt != null;
  const isCurrent = list.query.ledgerSize === undefined;
  const mayDecide = hasPermission(useSession(), 'write:policies') && !isArchived && isCurrent;
  const memberAndRepositoryOptions = [...(filterOptions?.members ?? []), ...(filterOptions?.repositories ?? [])];
  const filter = toolsFilterOf(list.query, new Date());
  const selection = useSelection(JSON.stringify(filter), list.rows ?? []);
  const { columns, choices, shown, choose } = useColumnChoice(
    toolColumns(isSingleRepository ? list.query.projects[0] : undefined, mayDecide ? setPendingDecision : undefined),
  );
  return (
    <>
      <AsOfBanner asOf={list.asOf}>
        People and projects are all in which the tool had been seen, and the version is the last one seen. Names,
        vendors and categories are those of today. Sources, and whether a tool was still in use, were not recorded.
      </AsOfBanner>
      {!(list.isEmptyUnfiltered && list.isScanning) && (
        <ToolFilterRow list={list} isSingleRepository={isSingleRepository}>
          <AsOfButton asOf={list.asOf} />
          <ColumnSelect choices={choices} shown={shown} onChange={choose} />
        </ToolFilterRow>
      )}
      <PagedTable
        list={list}
        label={list.query.tab === 'developer' ? 'Developer tools' : 'CI/CD tools'}
        noun="tools"
        columns={mayDecide ? [selectionColumn(list.rows ?? [], selection, ({ name }) => name), ...columns] : columns}
        rowKey={({ id }) => id}
        rowHref={({ id }) => toolHref(id)}
        tall
        empty={<NoTools list={list} isSingleRepository={isSingleRepository} />}
        noMatch="No tool matches"
        filters={toolFilterTexts(
          isSingleRepository ? { ...list.query, projects: [] } : list.query,
          (id) => memberAndRepositoryOptions.find(({ value }) => value === id)?.label ?? id,
        )}
      />
      {mayDecide && (
        <Suspense>
          <ToolSelectionBar selection={selection} filter={filter} total={list.total} />
        </Suspense>
      )}
      {pendingDecision && (
        <Suspense fallback={null}>
          <DecideToolDialog request={pendingDecision} onClose={() => setPendingDecision(undefined)} />
        </Suspense>
      )}
    </>
  );
}
