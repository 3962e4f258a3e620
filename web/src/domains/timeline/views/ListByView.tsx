import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import type { ListResult } from '#ui/PagedTable.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { ListTable, type ListTableProps } from './ListTable.tsx';

export interface ListView<View extends string> {
  view: View;
  label: string;
  emptyTitle: string;
  emptyText: string;
}

interface ListByViewProps<Row, View extends string>
  extends Omit<ListTableProps<Row>, 'list' | 'label' | 'empty' | 'noMatch' | 'filters' | 'views'> {
  /** The content of the list, such as 'Waivers'. */
  title: string;
  /** The path of the page, which shows the first view. The others have the parameter `view`. */
  path: string;
  /** At least one. */
  tabs: readonly [ListView<View>, ...ListView<View>[]];
  list: Omit<ListTableProps<Row>['list'], 'query' | 'setQuery'> & {
    query: ListResult<Row>['query'] & { view: View };
    setQuery(patch: { search?: string; page?: number; perPage?: number; sort?: string }): void;
  };
  searchLabel: string;
  /** The saved views of this list. */
  savedViews: ListTableProps<Row>['views'];
}

/** A list with a tab for each view, a search and paging. The address holds the query. */
export function ListByView<Row, View extends string>({
  title,
  path,
  tabs,
  list,
  searchLabel,
  savedViews,
  ...table
}: ListByViewProps<Row, View>) {
  const hrefOf = (view: View) => (view === tabs[0].view ? path : `${path}?view=${view}`);
  const current = tabs.find(({ view }) => view === list.query.view) ?? tabs[0];
  return (
    <>
      <LinkTabs
        label={title}
        tabs={tabs.map(({ view, label }) => ({
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
      <ListTable
        {...table}
        views={savedViews}
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
