import { Button } from '@mantine/core';
import { csvExportOf, type ExportableList } from '@sightline/contract/core/csv-export.ts';
import type { CallInput, Endpoint } from '@sightline/contract/core/endpoint.ts';
import type { ViewList } from '@sightline/contract/timeline/explore.ts';
import { IconDownload } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useColumnChoice } from '#lib/column-choice.ts';
import { useExport } from '#lib/use-export.ts';
import { ColumnSelect } from '#ui/ColumnSelect.tsx';
import { ExportProgress } from '#ui/Export.tsx';
import { type ListResult, PagedTable, type PagedTableProps } from '#ui/PagedTable.tsx';
import { toast } from '#ui/toast.ts';
import s from './ListTable.module.css';
import { ListViews } from './ListViews.tsx';

export interface ListTableProps<Row> extends Omit<PagedTableProps<Row>, 'list' | 'toolbar'> {
  /** The result of `usePagedList` of a list with an export. */
  list: ListResult<Row> & { endpoint: Endpoint; input: object; isEmptyUnfiltered: boolean };
  /** The saved views of this list. */
  views: Exclude<ViewList, 'events'>;
}

/** A paged table with saved views, a selection of columns, and the export of all matching rows as CSV. */
export function ListTable<Row>({ list, views, columns: all, ...table }: ListTableProps<Row>) {
  const { columns, choices, shown, choose } = useColumnChoice(all);
  const endpoint = useMemo(() => csvExportOf(list.endpoint as ExportableList), [list.endpoint]);
  const exporting = useExport(endpoint, () => toast.success(`The ${table.noun} were exported.`));
  const start = () => {
    const { query = {}, ...input } = list.input as { query?: Record<string, unknown> };
    const { page: _page, perPage: _perPage, ...filters } = query;
    exporting.start({ ...input, query: filters } as CallInput<typeof endpoint>);
  };
  const toolbar = !list.isEmptyUnfiltered && !list.failure && (
    <>
      <div className={s.toolbar}>
        <ListViews list={views} compact />
        {choices.length > 1 && <ColumnSelect choices={choices} shown={shown} onChange={choose} compact />}
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconDownload size={15} aria-hidden />}
          disabled={exporting.state !== undefined || list.total === 0}
          onClick={start}
        >
          Export CSV
        </Button>
      </div>
      {exporting.state && (
        <div className={s.export}>
          <ExportProgress
            state={exporting.state}
            label={`Exporting ${table.noun}`}
            noun={table.noun}
            onStop={exporting.stop}
            onRetry={exporting.retry}
          />
        </div>
      )}
    </>
  );
  return <PagedTable {...table} list={list} columns={columns} toolbar={toolbar} />;
}
