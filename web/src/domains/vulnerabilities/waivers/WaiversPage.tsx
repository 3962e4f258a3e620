import { listWaivers, type WaiverListItem, type WaiversQuery } from '@sightline/contract/vulnerabilities/waivers.ts';
import { useState } from 'react';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { PageHeader } from '#ui/PageHeader.tsx';
import type { Column } from '../../../ui/column.ts';
import { ListByView, type ListView } from '../../timeline/views/ListByView.tsx';
import { WaiverDialog } from './WaiverDialog.tsx';
import { WaiverMenu } from './WaiverMenu.tsx';
import type { WaiverAction } from './waiver-action.ts';
import { waivedItemHref, waiverColumns } from './waiverColumns.tsx';

const home = '/waivers';

type WaiversView = ListView<WaiversQuery['view']>;

const tabs: readonly [WaiversView, ...WaiversView[]] = [
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

/** Lists the waivers of controls and vulnerabilities. The address holds the query. */
export function WaiversPage() {
  const list = usePagedList(listWaivers, { view: ['view'] });
  const [action, setAction] = useState<WaiverAction>();
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
      <ListByView
        title="Waivers"
        path={home}
        tabs={tabs}
        savedViews="waivers"
        list={list}
        searchLabel="Search by item"
        noun="waivers"
        columns={[...waiverColumns(list.query.view !== 'open'), menu]}
        rowKey={({ id }) => id}
        rowHref={waivedItemHref}
        tall
      />
      <WaiverDialog action={action} onClose={() => setAction(undefined)} />
    </>
  );
}
