import { Button } from '@mantine/core';
import { listSnapshots, type Snapshot } from '@sightline/contract/compliance/snapshots.ts';
import { IconCamera, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { destinationsPath } from '#lib/evidence-destination-href.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { Link } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { snapshotPeriodName } from '#ui/snapshotText.ts';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { NewSnapshot } from './NewSnapshot.tsx';
import s from './Snapshots.module.css';
import { snapshotHref, snapshotStateBadges } from './snapshotLabels.ts';

/** Lists the snapshots, each with a bundle for auditors. */
export function SnapshotsPage() {
  const list = usePagedList(listSnapshots);
  const mayCreate = hasPermission(useSession(), 'create:evidence');
  const [opened, setOpened] = useState(false);
  const { query, setQuery } = list;
  const button = mayCreate && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpened(true)}>
      New snapshot
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Snapshots"
        back={{ label: 'Evidence', href: '/evidence' }}
        note="Evidence of a period at a signed checkpoint of the ledger. The bundle can be verified without this server."
        actions={
          <>
            <Button component={Link} href="/evidence/auditor-portals" variant="default">
              Auditor portals
            </Button>
            <Button component={Link} href={destinationsPath} variant="default">
              Evidence destinations
            </Button>
            {!list.isEmptyUnfiltered && button}
          </>
        }
      />
      {!list.isEmptyUnfiltered && (
        <Filters>
          <SearchBox label="Search by name" value={query.search} onChange={(search) => setQuery({ search })} />
        </Filters>
      )}
      <ListTable
        views="snapshots"
        list={list}
        label="Snapshots"
        noun="snapshots"
        columns={columns}
        rowKey={({ id }) => id}
        rowHref={snapshotHref}
        empty={
          <Empty kind="nothing-yet" title="No snapshots" action={button || undefined}>
            A snapshot evaluates controls over a period and packs every item with its proofs into a bundle that an
            auditor verifies offline. Later activity does not change it.
          </Empty>
        }
        noMatch="No snapshot matches"
      />
      {opened && <NewSnapshot onClose={() => setOpened(false)} />}
    </>
  );
}

const columns: Column<Snapshot>[] = [
  {
    key: 'name',
    header: 'Name',
    place: 'main',
    cell: ({ name }) => (
      <RowTitle glyph={<IconCamera size={16} stroke={1.8} aria-hidden />}>
        <RowName>{name}</RowName>
      </RowTitle>
    ),
  },
  { key: 'period', header: 'Period', width: 150, place: 'meta', cell: ({ period }) => snapshotPeriodName(period) },
  {
    key: 'controls',
    header: 'Controls',
    width: 220,
    cell: ({ results, controls }) => {
      const passing = results.filter(({ status }) => status === 'passing').length;
      const evaluated = results.filter(({ status }) => status !== 'not_applicable').length;
      return results.length === 0 ? `${controls.length} to evaluate` : `${passing} of ${evaluated} passing`;
    },
  },
  {
    key: 'state',
    header: 'State',
    width: 130,
    place: 'side',
    cell: ({ state }) => {
      const [tone, words] = snapshotStateBadges[state];
      return <StatusBadge tone={tone}>{words}</StatusBadge>;
    },
  },
  {
    key: 'date',
    header: 'Created',
    sort: 'date',
    firstDirection: 'desc',
    width: 220,
    place: 'metaEnd',
    cell: ({ createdAt, createdBy }) => (
      <span className="truncate">
        <TimeAgo at={createdAt} />{' '}
        <span className={s.by}>
          by <PersonName person={createdBy} />
        </span>
      </span>
    ),
  },
];
