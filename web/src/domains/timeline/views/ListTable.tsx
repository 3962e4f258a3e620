import { useColumnChoice } from '#lib/column-choice.ts';
import { type ListResult, PagedTable, type PagedTableProps } from '#ui/PagedTable.tsx';
import { ListToolbar, type ListToolbarProps } from './ListToolbar.tsx';

export interface ListTableProps<Row> extends Omit<PagedTableProps<Row>, 'list' | 'toolbar'> {
  /** The result of `usePagedList` of a list with an export. */
  list: ListResult<Row> & Pick<ListToolbarProps, 'endpoint' | 'input'> & { isEmptyUnfiltered: boolean };
  /** The saved views of this list. */
  views: ListToolbarProps['views'];
}

/** A paged table with saved views, a selection of columns, and the export of all matching rows as CSV. */
export function ListTable<Row>({ list, views, columns, ...table }: ListTableProps<Row>) {
  const choice = useColumnChoice(columns);
  return (
    <PagedTable
      {...table}
      list={list}
      columns={choice.columns}
      toolbar={list.isEmptyUnfiltered || <ListToolbar {...list} views={views} noun={table.noun} columns={choice} />}
    />
  );
}
