import { listWaivers, type WaiverListItem, type WaiversQuery } from '@sightline/contract/vulnerabilities/exceptions.ts';
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
import { DecideDialog, type DecisionRequest } from './DecideDialog.tsx';
import { EndDialog } from './EndDialog.tsx';
import { LeaveMenu } from './LeaveMenu.tsx';
import { leaveColumns, placeOf } from './leaveColumns.tsx';

const home = '/exceptions';

const views: readonly { view: WaiversQuery['view']; label: string; none: string; says: string }[] = [
  {
    view: 'open',
    label: 'Pending',
    none: 'No pending waivers',
    says: 'Request a waiver from a failing item of a control or on the page of a vulnerability.',
  },
  {
    view: 'expiring',
    label: 'Expiring soon',
    none: 'No waivers expire within two weeks',
    says: 'Items count again when their waiver expires.',
  },
  {
    view: 'decided',
    label: 'Decided',
    none: 'No decisions',
    says: 'Approved, denied, withdrawn and expired waivers appear here.',
  },
];

const hrefOf = (view: WaiversQuery['view']) => (view === 'open' ? home : `${home}?view=${view}`);

/** Leave to break a control for a time, of rows and of vulnerabilities alike. What is asked is in the address. */
export function ExceptionsPage() {
  const list = usePagedList(listWaivers, { view: ['view'] });
  const [asked, setAsked] = useState<DecisionRequest>();
  const now = views.find(({ view }) => view === list.query.view) ?? views[0];
  const menu: Column<WaiverListItem> = {
    key: 'menu',
    header: 'Actions',
    width: 56,
    place: 'menu',
    cell: (leave) => <LeaveMenu leave={leave} onAsk={setAsked} />,
  };
  const close = () => setAsked(undefined);
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
          count: view === now?.view && !list.narrowed && list.rows ? list.total : undefined,
        }))}
        current={hrefOf(list.query.view)}
      />
      {!list.bare && !list.failure && (
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
        label={`Exceptions: ${now?.label.toLowerCase()}`}
        noun="exceptions"
        columns={[...leaveColumns(list.query.view !== 'open'), menu]}
        rowKey={({ id }) => id}
        rowHref={placeOf}
        tall
        empty={
          <Empty kind="nothing-yet" title={now?.none ?? ''}>
            {now?.says}
          </Empty>
        }
        noMatch="No waivers match"
      />
      {asked && asked.action !== 'end' && <DecideDialog asked={asked} onClose={close} />}
      {asked?.action === 'end' && <EndDialog leave={asked.leave} onClose={close} />}
    </>
  );
}
