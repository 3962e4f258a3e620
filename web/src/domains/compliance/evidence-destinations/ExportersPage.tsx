import { Button } from '@mantine/core';
import {
  createExporter,
  type Exporter,
  exporterKindNames,
  listExporters,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import { IconPlus, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { may, useSession } from '#lib/session.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { StatusBadge, StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import type { ExporterDraft } from './draft.ts';
import { ExporterDialog } from './ExporterDialog.tsx';
import { ExporterSecret } from './ExporterSecret.tsx';
import { KindIcon } from './KindIcon.tsx';
import { useChange } from './useChange.ts';
import { deliveryLooks, exporterHref, hostOf, stateLooks } from './words.ts';

/** Where snapshots can be sent: programs of others that keep evidence, findings or the standing of projects. */
export function ExportersPage() {
  const list = usePagedList(listExporters);
  const makes = may(useSession(), 'create:evidence');
  const [adding, setAdding] = useState(false);
  const navigate = useNavigate();
  const add = useChange(
    (body: ExporterDraft) => call(createExporter, { body }),
    ({ exporter, secret }) => {
      setAdding(false);
      if (secret === null) navigate(exporterHref(exporter));
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
        actions={!list.bare && button}
      />
      {!list.bare && (
        <Filters>
          <SearchBox
            label="Search by name"
            value={list.query.search}
            onChange={(search) => list.setQuery({ search })}
          />
        </Filters>
      )}
      <PagedTable
        list={list}
        label="Evidence destinations"
        noun="exporters"
        tall
        columns={columns}
        rowKey={({ id }) => id}
        rowHref={exporterHref}
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
      {adding && <ExporterDialog title="Add destination" submit="Add" save={add} onClose={() => setAdding(false)} />}
      {made?.secret != null && (
        <ExporterSecret
          secret={made.secret}
          onClose={() => {
            add.reset();
            navigate(exporterHref(made.exporter));
          }}
        />
      )}
    </>
  );
}

const columns: Column<Exporter>[] = [
  {
    key: 'name',
    header: 'Name',
    sort: 'name',
    place: 'main',
    cell: (exporter) => (
      <RowTitle
        glyph={<KindIcon kind={exporter.kind} />}
        meta={`${exporterKindNames[exporter.kind]}, ${hostOf(exporter)}`}
      >
        <RowName>{exporter.name}</RowName>
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
        <StatusDot tone={deliveryLooks[last.state][0]}>
          <span className="truncate">
            {deliveryLooks[last.state][1]}: {last.snapshot.name}
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
    cell: ({ state }) => <StatusBadge tone={stateLooks[state][0]}>{stateLooks[state][1]}</StatusBadge>,
  },
  {
    key: 'date',
    header: 'Added',
    sort: 'date',
    firstDirection: 'desc',
    width: 200,
    cell: ({ createdAt, createdBy }) => (
      <span className="truncate">
        <TimeAgo at={createdAt} /> by {createdBy.name}
      </span>
    ),
  },
];
