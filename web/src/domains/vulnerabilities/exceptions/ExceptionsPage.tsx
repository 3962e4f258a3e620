import { type LeaveQuery, type ListedLeave, listLeave } from '@sightline/contract/vulnerabilities/exceptions.ts';
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

const views: readonly { view: LeaveQuery['view']; label: string; none: string; says: string }[] = [
  {
    view: 'open',
    label: 'Waiting for approval',
    none: 'No exception waits for approval',
    says: 'An exception is asked for from a row that a control judged as one, or on the page of a vulnerability.',
  },
  {
    view: 'expiring',
    label: 'Ending soon',
    none: 'No exception ends within two weeks',
    says: 'From its end on, what it was for counts again by itself.',
  },
  {
    view: 'decided',
    label: 'Decided',
    none: 'Nothing was decided yet',
    says: 'What was approved, refused, taken back or is over stands here.',
  },
];

const hrefOf = (view: LeaveQuery['view']) => (view === 'open' ? home : `${home}?view=${view}`);

/** Leave to break a control for a time, of rows and of vulnerabilities alike. What is asked is in the address. */
export function ExceptionsPage() {
  const list = usePagedList(listLeave, { view: ['view'] });
  const [asked, setAsked] = useState<DecisionRequest>();
  const now = views.find(({ view }) => view === list.query.view) ?? views[0];
  const menu: Column<ListedLeave> = {
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
        title="Exceptions"
        help={{ href: docsHref('policies', 'exceptions'), about: 'exceptions' }}
        note="A control may be broken until a day, for a reason, once somebody other than whoever asks has approved."
      />
      <LinkTabs
        label="Exceptions"
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
            label="Search by what it is for"
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
        noMatch="No exception matches"
      />
      {asked && asked.action !== 'end' && <DecideDialog asked={asked} onClose={close} />}
      {asked?.action === 'end' && <EndDialog leave={asked.leave} onClose={close} />}
    </>
  );
}
