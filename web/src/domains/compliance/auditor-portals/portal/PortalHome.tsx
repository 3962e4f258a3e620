import {
  getPortalVisit,
  type PortalSnapshot,
  type PortalVisit,
} from '@sightline/contract/compliance/auditor-portals.ts';
import { downloadOwnArchive } from '@sightline/contract/compliance/portal-archives.ts';
import { IconCamera } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Facts } from '#ui/Facts.tsx';
import { Failure } from '#ui/Failure.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { redactionLabels } from '#ui/redactionText.ts';
import { snapshotPeriodName } from '#ui/snapshotText.ts';
import type { Column } from '../../../../ui/column.ts';
import { DownloadButton } from '../DownloadButton.tsx';
import { utcTimeText } from '../portalLabels.ts';
import { EarlierPeriodPanel } from './EarlierPeriodPanel.tsx';
import s from './Portal.module.css';
import { PortalAssertionsPanel } from './PortalAssertionsPanel.tsx';
import { PortalRequestsPanel } from './PortalRequestsPanel.tsx';
import { PortalResultsPanel } from './PortalResultsPanel.tsx';
import { PortalSamplesPanel } from './PortalSamplesPanel.tsx';
import { portalPageHref, usePortalId } from './usePortal.ts';

/** The first page of a portal: its snapshots and evidence requests. */
export function PortalHome() {
  const portalId = usePortalId();
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getPortalVisit, { params: { portalId } }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
  if (!data) {
    return error ? (
      <Panel>
        <Failure title="The portal could not be loaded" error={error} onRetry={() => void refetch()} />
      </Panel>
    ) : (
      <p className="dim" role="status" aria-busy>
        Loading
      </p>
    );
  }
  return (
    <>
      <PageHeader
        title={data.name}
        note={`Evidence of ${data.organization} for ${data.auditor}.`}
        actions={
          <DownloadButton
            endpoint={downloadOwnArchive}
            input={{ params: { portalId } }}
            label="Download archive"
            failure="The archive was not downloaded. Try again."
          />
        }
      />
      <div className={s.page}>
        <Panel title="Snapshots" flush>
          <DataTable
            label="Snapshots"
            columns={columns}
            rows={data.snapshots}
            rowKey={({ id }) => id}
            rowHref={({ id }) => portalPageHref(portalId, 'snapshots', id)}
            empty={null}
          />
        </Panel>
        <PortalAssertionsPanel portalId={portalId} />
        <PortalSamplesPanel portalId={portalId} />
        <EarlierPeriodPanel portalId={portalId} />
        <PortalRequestsPanel portal={data} />
        <PortalResultsPanel portal={data} />
        <Panel title="About this portal">
          <Facts side items={factsOf(data)} />
        </Panel>
      </div>
    </>
  );
}

const columns: Column<PortalSnapshot>[] = [
  {
    key: 'name',
    header: 'Snapshot',
    place: 'main',
    cell: ({ name }) => (
      <RowTitle glyph={<IconCamera size={16} stroke={1.8} aria-hidden />}>
        <RowName>{name}</RowName>
      </RowTitle>
    ),
  },
  { key: 'period', header: 'Period', width: 180, place: 'meta', cell: ({ period }) => snapshotPeriodName(period) },
  {
    key: 'controls',
    header: 'Controls',
    width: 180,
    place: 'side',
    cell: ({ results }) => {
      const evaluated = results.filter(({ status }) => status !== 'not_applicable');
      return `${evaluated.filter(({ status }) => status === 'passing').length} of ${evaluated.length} passing`;
    },
  },
  {
    key: 'frozen',
    header: 'Created',
    width: 220,
    place: 'metaEnd',
    cell: ({ takenAt }) => <time dateTime={takenAt}>{utcTimeText(takenAt)}</time>,
  },
];

const factsOf = ({ redaction, people, createdAt, expiresAt }: PortalVisit) =>
  [
    ['Active', `From ${utcTimeText(createdAt)} to ${utcTimeText(expiresAt)}`],
    ['Access', 'View evidence, keep samples with workpapers, exchange files, request evidence and download bundles.'],
    [
      'People',
      redaction !== 'none'
        ? `Redacted: ${redactionLabels[redaction].toLowerCase()}. All other data can be verified.`
        : people === 'names'
          ? 'Shown by their current names. Bundles contain the names at the time of the snapshot.'
          : 'Shown by pseudonyms. The organization has their key. Titles of changes are shown if the bundle discloses them.',
    ],
    ['Recorded', 'Each page view, sample and download is recorded in the tamper-evident ledger of the organization.'],
    [
      'Content',
      `Only the contents of the bundles${people === 'names' ? ' and names of people' : ''}. Bundles can be verified offline, without this server.`,
    ],
  ] as const;
