import { Button } from '@mantine/core';
import {
  listPortals,
  type Portal,
  type PortalState,
  portalStates,
} from '@sightline/contract/compliance/auditor-portals.ts';
import { IconDoor, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { NewPortal } from './NewPortal.tsx';
import { portalHref, portalStateBadges } from './portalLabels.ts';

/** Lists the auditor portals. */
export function PortalsPage() {
  const list = usePagedList(listPortals);
  const opens = hasPermission(useSession(), 'create:evidence');
  const [isCreating, setCreating] = useState(false);
  const { query, setQuery } = list;
  const button = opens && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      New portal
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Auditor portals"
        back={{ label: 'Snapshots', href: '/evidence/snapshots' }}
        help={{ href: docsHref('auditor-portals'), about: 'auditor portals' }}
        note="Time-limited access to snapshots for auditors without an account. Every view is recorded in the ledger."
        actions={!list.isEmptyUnfiltered && button}
      />
      {!list.isEmptyUnfiltered && (
        <Filters>
          <SearchBox label="Search by name" value={query.search} onChange={(search) => setQuery({ search })} />
          <MultiSelect
            name="State"
            options={portalStates.map((state) => ({ value: state, label: portalStateBadges[state][1] }))}
            values={query.state}
            onChange={(state) => setQuery({ state: state as PortalState[] })}
            emptyText="No states"
          />
          <MultiSelect
            name="Requests"
            options={Object.entries(requestFilters).map(([value, label]) => ({ value, label }))}
            values={query.requests === 'any' ? [] : [query.requests]}
            onChange={(requests) => setQuery({ requests: (requests.at(-1) ?? 'any') as typeof query.requests })}
            emptyText="No states"
          />
        </Filters>
      )}
      <ListTable
        views="auditor-portals"
        tall
        list={list}
        label="Auditor portals"
        noun="auditor portals"
        columns={columns}
        rowKey={({ id }) => id}
        rowHref={portalHref}
        filters={[
          ...query.state.map((state) => `State: ${portalStateBadges[state][1]}`),
          ...(query.requests === 'any' ? [] : [`Requests: ${requestFilters[query.requests]}`]),
        ]}
        empty={
          <Empty kind="nothing-yet" title="No auditor portals" action={button || undefined}>
            Create a portal for a snapshot. The auditor gets a link, samples items, requests evidence and downloads
            evidence packages. You can revoke access at any time.
          </Empty>
        }
        noMatch="No portals match"
      />
      {isCreating && <NewPortal onClose={() => setCreating(false)} />}
    </>
  );
}

const requestFilters = { open: 'Unanswered', overdue: 'Overdue' };

const columns: Column<Portal>[] = [
  {
    key: 'name',
    header: 'Portal',
    place: 'main',
    cell: ({ name, auditor }) => (
      <RowTitle glyph={<IconDoor size={16} stroke={1.8} aria-hidden />} meta={`For ${auditor.name}`}>
        <RowName>{name}</RowName>
      </RowTitle>
    ),
  },
  {
    key: 'snapshots',
    header: 'Snapshots',
    width: 200,
    place: 'meta',
    cell: ({ snapshots }) => <p className="truncate">{snapshots.map(({ name }) => name).join(', ')}</p>,
  },
  {
    key: 'state',
    header: 'State',
    width: 120,
    place: 'side',
    cell: ({ state }) => <StatusBadge tone={portalStateBadges[state][0]}>{portalStateBadges[state][1]}</StatusBadge>,
  },
  {
    key: 'date',
    header: 'Created',
    sort: 'date',
    firstDirection: 'desc',
    width: 130,
    cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
  },
  {
    key: 'closes',
    header: 'Expires',
    width: 130,
    place: 'metaEnd',
    cell: ({ expiresAt, revokedAt }) => <TimeAgo at={revokedAt ?? expiresAt} />,
  },
  {
    key: 'view',
    header: 'Last view',
    width: 140,
    cell: ({ lastViewAt }) => (lastViewAt === null ? <span className="dim">Never</span> : <TimeAgo at={lastViewAt} />),
  },
  {
    key: 'requests',
    header: 'Open requests',
    width: 130,
    cell: ({ openRequests, overdueRequests, requests }) =>
      requests === 0 ? (
        <span className="dim">None</span>
      ) : (
        `${openRequests} of ${requests}${overdueRequests > 0 ? `, ${overdueRequests} overdue` : ''}`
      ),
  },
];
