import { listWaivers, type WaiverListItem, type WaiversQuery } from '@sightline/contract/vulnerabilities/waivers.ts';
import { useState } from 'react';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import type { Column } from '../../../ui/column.ts';
import { WaiverDialog } from './WaiverDialog.tsx';
import { WaiverMenu } from './WaiverMenu.tsx';
import type { WaiverAction } from './waiver-action.ts';
import { waivedItemHref, waiverColumns } from './waiverColumns.tsx';

const home = '/waivers';

const views: readonly { view: WaiversQuery['view']; label: string; emptyTitle: string; emptyText: string }[] = [
  {
    view: 'open',
    label: 'Pending',
    emptyTitle: 'No pending waivers',
    emptyText: 'Request a waiver from a failing item of a control or on the page of a vulnerability.',
  },
  {
    view: 'expiring',
    label: 'Expiring soon',
    emptyTitle: 'No waivers expire within two weeks',
    emptyText: 'Items count again when their waiver expires.',
  },
  {
    view: 'decided',
    label: 'Decided',
    emptyTitle: 'No decisions',
    emptyText: 'Approved, denied, withdrawn and expired waivers appear here.',
  },
];

const hrefOf = (view: WaiversQuery['view']) => (view === 'open' ? home : `${home}?view=${view}`);

/** Lists the waivers of controls and vulnerabilities. The address holds the query. */
export function WaiversPage() {
  const list = usePagedList(listWaivers, { view: ['view'] });
  const [action, setAction] = useState<WaiverAction>();
  const current = views.find(({ view }) => view === list.query.view) ?? views[0];
  const menu: Column<WaiverListItem> = {
    key: 'menu',
    header: 'Actions',
    width: 56,
    place: 'menu',
    cell: (waiver) => <WaiverMenu waiver={waiver} onAction={setAction} />,
  };
  return (
    <>
      <PageHeader
        title="Waivers"
        help={{ href: docsHref('policies', 'waivers'), about: 'waivers' }}
        note="A waiver permits a control failure for a reason and a limited time. A second person approves it."
      />
      <LinkTabs
        label="Waivers"
        tabs={views.map(({ view, label }) => ({
          label,
          href: hrefOf(view),
          count: view === current?.view && !list.isFiltered && list.rows ? list.total : undefined,
        }))}
        current={hrefOf(list.query.view)}
      />
      {!list.isEmptyUnfiltered && !list.failure && (
        <Filters>
          <SearchBox
            label="Search by item"
            value={list.query.search}
            onChange={(search) => list.setQuery({ search })}
            width={320}
          />
        </Filters>
      )}
      <PagedTable
        list={list}
        label={`Waivers: ${current?.label.toLowerCase()}`}
        noun="waivers"
        columns={[...waiverColumns(list.query.view !== 'open'), menu]}
        rowKey={({ id }) => id}
        rowHref={waivedItemHref}
        tall
        empty={
          <Empty kind="nothing-yet" title={current?.emptyTitle ?? ''}>
            {current?.emptyText}
          </Empty>
        }
        noMatch="No waivers match"
      />
      <WaiverDialog action={action} onClose={() => setAction(undefined)} />
    </>
  );
}
