import { Empty } from './Empty.tsx';
import { Filters } from './Filters.tsx';
import { LinkTabs } from './LinkTabs.tsx';
import { type ListResult, PagedTable, type PagedTableProps } from './PagedTable.tsx';
import { SearchBox } from './SearchBox.tsx';

export interface ListView<View extends string> {
  view: View;
  label: string;
  emptyTitle: string;
  emptyText: string;
}

interface ListByViewProps<Row, View extends string>
  extends Omit<PagedTableProps<Row>, 'list' | 'label' | 'empty' | 'noMatch' | 'filters'> {
  /** The content of the list, such as 'Waivers'. */
  title: string;
  /** The path of the page, which shows the first view. The others have the parameter `view`. */
  path: string;
  /** At least one. */
  views: readonly [ListView<View>, ...ListView<View>[]];
  list: Omit<ListResult<Row>, 'query' | 'setQuery'> & {
    query: ListResult<Row>['query'] & { view: View };
    setQuery(patch: { search?: string; page?: number; perPage?: number; sort?: string }): void;
    isEmptyUnfiltered: boolean;
  };
  searchLabel: string;
}

/** A list with a tab for each view, a search and paging. The address holds the query. */
export function ListByView<Row, View extends string>({
  title,
  path,
  views,
  list,
  searchLabel,
  ...table
}: ListByViewProps<Row, View>) {
  const hrefOf = (view: View) => (view === views[0].view ? path : `${path}?view=${view}`);
  const current = views.find(({ view }) => view === list.query.view) ?? views[0];
  return (
    <>
      <LinkTabs
        label={title}
        tabs={views.map(({ view, label }) => ({
          label,
          href: hrefOf(view),
          count: view === current.view && !list.isFiltered && list.rows ? list.total : undefined,
        }))}
        current={hrefOf(current.view)}
      />
      {!list.isEmptyUnfiltered && !list.failure && (
        <Filters>
          <SearchBox
            label={searchLabel}
            value={list.query.search}
            onChange={(search) => list.setQuery({ search })}
            width={320}
          />
        </Filters>
      )}
      <PagedTable
        {...table}
        list={list}
        label={`${title}: ${current.label.toLowerCase()}`}
        empty={
          <Empty kind="nothing-yet" title={current.emptyTitle}>
            {current.emptyText}
          </Empty>
        }
        noMatch={`No ${table.noun} match`}
      />
    </>
  );
}
