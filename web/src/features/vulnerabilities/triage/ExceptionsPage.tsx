import { type ExceptionsQuery, type ListedException, listExceptions } from '@sightline/contract/triage.ts';
import { useState } from 'react';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import type { Column } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { ExceptionMenu } from './ExceptionMenu.tsx';
import { exceptionColumns } from './exceptionColumns.tsx';
import { TriageDialog } from './TriageDialog.tsx';
import type { Triage } from './targets.ts';

const home = '/vulnerabilities/exceptions';

/** By what became of them; the first is what somebody has to decide. */
const views = [
  { label: 'Waiting for approval', state: '', none: 'No exception waits for approval' },
  { label: 'Accepted', state: 'approved', none: 'Nothing is accepted for now' },
  { label: 'Over', state: 'refused,withdrawn,expired', none: 'No exception is over yet' },
] as const;

const hrefOf = (state: string) => (state === '' ? home : `${home}?state=${state}`);
const viewOf = ({ state }: ExceptionsQuery) =>
  views.find((view) => view.state === state.filter((one) => one !== 'requested').join(',')) ?? views[0];

/** Exceptions that were asked for, and what became of them. What is asked is in the address. */
export function ExceptionsPage() {
  const list = usePagedList(listExceptions, { view: ['state'] });
  const [triage, setTriage] = useState<Triage>();
  const view = viewOf(list.query);
  const menu: Column<ListedException> = {
    key: 'menu',
    header: 'Actions',
    width: 56,
    place: 'menu',
    cell: (exception) => <ExceptionMenu exception={exception} onAsk={setTriage} />,
  };
  return (
    <>
      <PageHeader
        title="Exceptions"
        help={{ href: docsHref('vulnerabilities', 'exceptions'), about: 'exceptions' }}
        back={{ label: 'Vulnerabilities', href: '/vulnerabilities' }}
        note="A vulnerability can be accepted until a day. Somebody other than whoever asks has to approve."
      />
      <LinkTabs
        label="Exceptions"
        tabs={views.map(({ label, state }) => ({
          label,
          href: hrefOf(state),
          count: state === view.state && !list.narrowed && list.rows ? list.total : undefined,
        }))}
        current={hrefOf(view.state)}
      />
      {!list.bare && (
        <Filters>
          <SearchBox
            label="Search by vulnerability or repository"
            value={list.query.search}
            onChange={(search) => list.setQuery({ search })}
            width={320}
          />
        </Filters>
      )}
      <PagedTable
        list={list}
        label={`Exceptions: ${view.label.toLowerCase()}`}
        noun="exceptions"
        columns={[...exceptionColumns(view.state === ''), menu]}
        rowKey={({ id }) => id}
        rowHref={({ finding }) => `/vulnerabilities/${finding.id}`}
        tall
        empty={
          <Empty kind="nothing-yet" title={view.none}>
            An exception is asked for on the page of a vulnerability, or for several that are selected in the list.
          </Empty>
        }
        noMatch="No exception matches"
      />
      <TriageDialog triage={triage} onClose={() => setTriage(undefined)} />
    </>
  );
}
