import { Button } from '@mantine/core';
import {
  createEvidenceDestination,
  type EvidenceDestination,
  evidenceDestinationKindNames,
  listEvidenceDestinations,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import { IconPlus, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { docsHref } from '#lib/docs.ts';
import { evidenceDestinationHref } from '#lib/evidence-destination-href.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { StatusBadge, StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { deliveryStateBadges, destinationStateBadges, hostOf } from './destinationLabels.ts';
import type { EvidenceDestinationDraft } from './draft.ts';
import { EvidenceDestinationDialog } from './EvidenceDestinationDialog.tsx';
import { EvidenceDestinationSecret } from './EvidenceDestinationSecret.tsx';
import { KindIcon } from './KindIcon.tsx';

/** Lists the external services that receive snapshots. */
export function EvidenceDestinationsPage() {
  const list = usePagedList(listEvidenceDestinations);
  const makes = hasPermission(useSession(), 'create:evidence');
  const [adding, setAdding] = useState(false);
  const navigate = useNavigate();
  const add = useChange(
    (body: EvidenceDestinationDraft) => call(createEvidenceDestination, { body }),
    ({ destination, secret }) => {
      setAdding(false);
      if (secret === null) navigate(evidenceDestinationHref(destination));
    },
    { quiet: true },
  );
  const open = () => {
    add.reset();
    setAdding(true);
  };
  const button = makes && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      Add destination
    </Button>
  );
  const made = add.data?.secret == null ? undefined : add.data;
  return (
    <>
      <PageHeader
        title="Evidence destinations"
        help={{ href: docsHref('evidence-destinations'), about: 'evidence destinations' }}
        back={{ label: 'Snapshots', href: '/evidence/snapshots' }}
        note="Systems that receive snapshots on request. Missing evidence is never sent as passed."
        actions={!list.isEmptyUnfiltered && button}
      />
      {!list.isEmptyUnfiltered && (
        <Filters>
          <SearchBox
            label="Search by name"
            value={list.query.search}
            onChange={(search) => list.setQuery({ search })}
          />
        </Filters>
      )}
      <ListTable
        views="evidence-destinations"
        list={list}
        label="Evidence destinations"
        noun="destinations"
        tall
        columns={columns}
        rowKey={({ id }) => id}
        rowHref={evidenceDestinationHref}
        empty={
          <Empty
            kind="nothing-yet"
            title="No evidence destinations"
            icon={<IconSend size={19} stroke={1.6} />}
            action={button || undefined}
          >
            Send snapshots to Vanta, Drata, DefectDojo, a GitLab compliance framework or your own service.
          </Empty>
        }
        noMatch="No destinations match"
      />
      {adding && (
        <EvidenceDestinationDialog title="Add destination" submit="Add" save={add} onClose={() => setAdding(false)} />
      )}
      {made?.secret != null && (
        <EvidenceDestinationSecret
          secret={made.secret}
          onClose={() => {
            add.reset();
            navigate(evidenceDestinationHref(made.destination));
          }}
        />
      )}
    </>
  );
}

const columns: Column<EvidenceDestination>[] = [
  {
    key: 'name',
    header: 'Name',
    sort: 'name',
    place: 'main',
    cell: (destination) => (
      <RowTitle
        glyph={<KindIcon kind={destination.kind} />}
        meta={`${evidenceDestinationKindNames[destination.kind]}, ${hostOf(destination)}`}
      >
        <RowName>{destination.name}</RowName>
      </RowTitle>
    ),
  },
  {
    key: 'last',
    header: 'Last delivery',
    width: 320,
    place: 'meta',
    cell: ({ last }) =>
      last ? (
        <StatusDot tone={deliveryStateBadges[last.state][0]}>
          <span className="truncate">
            {deliveryStateBadges[last.state][1]}: {last.snapshot.name}
          </span>
        </StatusDot>
      ) : (
        <span className="dim">No deliveries</span>
      ),
  },
  {
    key: 'state',
    header: 'State',
    width: 110,
    place: 'side',
    cell: ({ state }) => (
      <StatusBadge tone={destinationStateBadges[state][0]}>{destinationStateBadges[state][1]}</StatusBadge>
    ),
  },
  {
    key: 'date',
    header: 'Added',
    sort: 'date',
    firstDirection: 'desc',
    width: 200,
    cell: ({ createdAt, createdBy }) => (
      <span className="truncate">
        <TimeAgo at={createdAt} /> by <PersonName person={createdBy} />
      </span>
    ),
  },
];
