import {
  listPortalRecords,
  type PortalRecord,
  type PortalRecordKind,
} from '@sightline/contract/compliance/portal-records.ts';
import { useParams } from '@tanstack/react-router';
import { usePagedList } from '#lib/paged-list.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import type { Column } from '../../../../ui/column.ts';
import { utcTimeText } from '../portalLabels.ts';
import s from './Portal.module.css';
import { recordKindLabels, SnapshotTabs } from './SnapshotTabs.tsx';
import { portalPageHref, usePortal, usePortalId } from './usePortal.ts';

/** Lists the records of one kind that the bundle of a snapshot contains, with who did what and the ledger entries. */
export function PortalRecordsPage() {
  const portalId = usePortalId();
  const portal = usePortal();
  const { snapshotId, kind } = useParams({ strict: false }) as { snapshotId: string; kind: PortalRecordKind };
  const label = recordKindLabels[kind];
  const list = usePagedList(listPortalRecords, {
    input: (query) => ({ params: { portalId, snapshotId, kind }, query }),
  });
  const { query, setQuery } = list;
  const snapshot = portal?.snapshots.find(({ id }) => id === snapshotId);
  return (
    <>
      <PageHeader
        title={snapshot?.name ?? 'Snapshot'}
        back={{ label: portal?.name ?? 'Portal', href: portalPageHref(portalId) }}
        note={notes[kind]}
      />
      <SnapshotTabs portalId={portalId} snapshotId={snapshotId} current={kind} />
      {!list.isEmptyUnfiltered && (
        <Filters>
          <SearchBox label="Search" value={query.search} onChange={(search) => setQuery({ search })} />
        </Filters>
      )}
      <PagedTable
        tall
        list={list}
        label={label}
        noun="records"
        columns={columns}
        rowKey={({ key }) => key}
        noMatch="No records match"
        empty={
          <Empty kind="nothing-yet" title={emptyTitles[kind]}>
            The bundle of this snapshot contains none for its period.
          </Empty>
        }
      />
    </>
  );
}

const notes: Record<PortalRecordKind, string> = {
  policies: 'Versions of policies that were in force at any time of the period.',
  waivers: 'Waivers that were pending or in force at any time of the period.',
  remediations: 'What was done about failures that were open at any time of the period.',
  digests: 'Commit digests of the period with their reviews.',
  gaps: 'Evidence that is missing, by control and cause, and repositories that were not recorded for all of the period.',
  definitions: 'Versions of the parameters of each control in the period, and the changes that weakened them.',
};

const emptyTitles: Record<PortalRecordKind, string> = {
  policies: 'No policies',
  waivers: 'No waivers',
  remediations: 'No remediations',
  digests: 'No commit digests',
  gaps: 'No missing evidence',
  definitions: 'No control definitions',
};

const columns: Column<PortalRecord>[] = [
  {
    key: 'title',
    header: 'Record',
    place: 'main',
    width: 320,
    cell: ({ title, state }) => (
      <div className={s.cell}>
        <b className={s.hash}>{title}</b>
        <span className="dim">{state.replace(/^./, (letter) => letter.toUpperCase())}</span>
      </div>
    ),
  },
  {
    key: 'facts',
    header: 'Content',
    place: 'meta',
    cell: ({ facts }) => (
      <ul className={s.reasons}>
        {facts.map(({ label, text }) => (
          <li key={label} className={s.hash}>
            <span className="dim">{label}: </span>
            {text}
          </li>
        ))}
      </ul>
    ),
  },
  {
    key: 'actions',
    header: 'Recorded actions',
    width: 320,
    place: 'below',
    cell: ({ actions }) => (
      <ul className={s.reasons}>
        {actions.length === 0 && <li className="dim">None</li>}
        {actions.map(({ done, at, by, entry }) => (
          <li key={`${done} ${entry}`}>
            {done} by {by === null ? 'the system' : (by.name ?? by.pseudonym)} on {utcTimeText(at)}{' '}
            <span className="dim">(ledger entry {entry})</span>
          </li>
        ))}
      </ul>
    ),
  },
];
