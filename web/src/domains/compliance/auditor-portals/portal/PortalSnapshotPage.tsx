import { getPortalBundle, getPortalSnapshot } from '@sightline/contract/compliance/auditor-portals.ts';
import type { CallOutput } from '@sightline/contract/core/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { endpointQuery } from '#lib/api.ts';
import { BundleFiles } from '#ui/BundleFiles.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { resultColumns } from '#ui/controlResults.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { Facts } from '#ui/Facts.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { formatFileSize, snapshotPeriodName } from '#ui/snapshotText.ts';
import { DownloadButton } from '../DownloadButton.tsx';
import { utcTimeText } from '../portalLabels.ts';
import s from './Portal.module.css';
import { PortalPagePlaceholder } from './PortalPagePlaceholder.tsx';
import { SnapshotTabs } from './SnapshotTabs.tsx';
import { portalPageHref, usePortal, usePortalId } from './usePortal.ts';

type PortalSnapshot = CallOutput<typeof getPortalSnapshot>;

/** Shows one snapshot: the result of each control, the bundle, and how to verify it without this server. */
export function PortalSnapshotPage() {
  const portalId = usePortalId();
  const portal = usePortal();
  const { snapshotId } = useParams({ strict: false }) as { snapshotId: string };
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getPortalSnapshot, { params: { portalId, snapshotId } }),
    staleTime: 60_000,
    meta: { quiet: true },
  });
  const back = { label: portal?.name ?? 'Portal', href: portalPageHref(portalId) };
  if (!data) return <PortalPagePlaceholder title="Snapshot" back={back} error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <PageHeader
        title={data.name}
        back={back}
        note={snapshotPeriodName(data.period)}
        actions={
          <DownloadButton
            variant="filled"
            endpoint={getPortalBundle}
            input={{ params: { portalId, snapshotId } }}
            label={`Download ${formatFileSize(data.bundle.bytes)}`}
            failure="The bundle was not downloaded. Try again."
          />
        }
      />
      <SnapshotTabs portalId={portalId} snapshotId={snapshotId} current={undefined} />
      <div className={s.page}>
        <Panel title="Controls" flush>
          <DataTable
            label="Controls"
            columns={resultColumns}
            rows={data.results}
            rowKey={({ id }) => id}
            rowHref={({ id }) => portalPageHref(portalId, 'snapshots', snapshotId, 'controls', id)}
            empty={null}
          />
        </Panel>
        <Panel title="Created">
          <Facts side items={factsOf(data)} />
        </Panel>
        <Verifying vkey={data.key} />
        <BundleFiles files={data.files} />
      </div>
    </>
  );
}

const factsOf = ({ period, ledger, takenAt, bundle }: PortalSnapshot) =>
  [
    ['Period', `${utcTimeText(period.from)} to ${utcTimeText(period.to)}`],
    ['Created', utcTimeText(takenAt)],
    [
      'Ledger',
      `${ledger.evaluated.toLocaleString('en')} entries were evaluated; ${ledger.size.toLocaleString('en')} including the results`,
    ],
    ['Bundle', `${bundle.name}, ${formatFileSize(bundle.bytes)}`],
    [
      'SHA-256',
      <code key="hash" className={s.hash}>
        {bundle.sha256}
      </code>,
    ],
  ] as const;

const Verifying = ({ vkey }: { vkey: string }) => (
  <Panel title="Verify it offline" aside={<CopyButton compact value={vkey} label="Copy the key" />}>
    <p>
      Download the bundle and verify it without this server: save{' '}
      <a className="link" href="/verify.html" target="_blank" rel="noreferrer">
        this page
      </a>{' '}
      and open it offline, or run <code>sightline verify</code>. Get the key through another channel and compare it:
    </p>
    <code className={s.key}>{vkey}</code>
    <p>
      To see whether something is missing, compare the bundle with the code host and a clone, read with your own access:
      save{' '}
      <a className="link" href="/reconcile.html" target="_blank" rel="noreferrer">
        this page
      </a>
      , or run <code>sightline reconcile</code>. Your token is sent to the code host only, never to this server.
    </p>
    <p className="dim">
      The ledger is tamper-evident, not immutable. A valid bundle proves what Sightline received and how it was
      evaluated. It does not prove that the received data is true.
    </p>
  </Panel>
);
