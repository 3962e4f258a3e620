import { Button } from '@mantine/core';
import type { ApiError } from '@sightline/contract/core/client.ts';
import type { ReactNode } from 'react';
import type { Column } from './column.ts';
import { DataTable } from './DataTable.tsx';
import { Empty } from './Empty.tsx';
import { Failure } from './Failure.tsx';
import { Pagination } from './Pagination.tsx';
import { Panel } from './Panel.tsx';

/** The result of `lib/paged-list.ts`. */
export interface ListResult<Row> {
  query: { page: number; perPage: number; search: string; sort: string };
  setQuery(patch: { page?: number; perPage?: number; sort?: string }): void;
  rows: readonly Row[] | undefined;
  total: number;
  stale: boolean;
  failure: ApiError | undefined;
  retry: () => void;
  isFiltered: boolean;
  clear: () => void;
}

export interface PagedTableProps<Row> {
  list: ListResult<Row>;
  /** The content of the table, for screen readers: 'Closed pull requests'. */
  label: string;
  /** In sentences: 'pull requests'. */
  noun: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  rowHref?: (row: Row) => string;
  /** Two-line rows, 52 px. */
  tall?: boolean;
  /** Shown if the list is empty without filters. */
  empty: ReactNode;
  /** Heading without matches: 'No repository matches'. */
  noMatch: string;
  /** The filters beside the search, in words: 'Author: ada'. */
  filters?: readonly string[];
  /** Above the table, in its panel. */
  toolbar?: ReactNode;
}

/** A table with paging and all its states: loading, rows, empty, no match, failed, no permission. */
export function PagedTable<Row>({
  list,
  label,
  noun,
  empty,
  noMatch,
  filters = [],
  toolbar,
  ...table
}: PagedTableProps<Row>) {
  const { query, setQuery, failure } = list;
  return (
    <Panel flush>
      {toolbar}
      {failure ? (
        <Failure title={`The ${noun} could not be loaded`} error={failure} onRetry={list.retry} />
      ) : (
        <DataTable
          {...table}
          label={label}
          rows={list.rows}
          skeletonRows={Math.min(10, query.perPage)}
          sort={query.sort}
          onSort={(sort) => setQuery({ sort })}
          stale={list.stale}
          empty={
            list.isFiltered ? <NoMatch title={noMatch} filters={wordsOf(query, filters)} onClear={list.clear} /> : empty
          }
        />
      )}
      <Pagination
        page={query.page}
        perPage={query.perPage}
        total={list.total}
        onPage={(page) => setQuery({ page })}
        onPerPage={(perPage) => setQuery({ perPage, page: 1 })}
      />
    </Panel>
  );
}

const wordsOf = ({ search }: { search: string }, filters: readonly string[]) =>
  search === '' ? filters : [...filters, `“${search}”`];

const NoMatch = ({ title, filters, onClear }: { title: string; filters: readonly string[]; onClear: () => void }) => (
  <Empty
    kind="no-match"
    title={title}
    filters={filters}
    action={
      <Button variant="default" onClick={onClear}>
        Clear {filters.length > 1 ? 'filters' : 'filter'}
      </Button>
    }
  >
    {filters.length > 1 ? 'No results match these filters.' : undefined}
  </Empty>
);
