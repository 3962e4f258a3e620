import { Button } from '@mantine/core';
import { getPortalChange } from '@sightline/contract/compliance/portal-changes.ts';
import { type Provider, providerNames } from '@sightline/contract/core/providers.ts';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { endpointQuery } from '#lib/api.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { Facts } from '#ui/Facts.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { utcTimeText } from '../portalLabels.ts';
import { ChangeEvidence } from './ChangeEvidence.tsx';
import { nameWith, type PortalChange } from './custodyTexts.ts';
import s from './Portal.module.css';
import { PortalCustody } from './PortalCustody.tsx';
import { PortalPagePlaceholder } from './PortalPagePlaceholder.tsx';
import { portalPageHref, usePortal, usePortalId } from './usePortal.ts';

/** Shows the chain of custody of one change from the bundle, with the evidence of each part and the key of its persons. */
export function PortalChangePage() {
  const portalId = usePortalId();
  const portal = usePortal();
  const { snapshotId, entry } = useParams({ strict: false }) as { snapshotId: string; entry: string };
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getPortalChange, { params: { portalId, snapshotId, entry: Number(entry) } }),
    staleTime: 60_000,
    meta: { quiet: true },
  });
  const snapshot = portal?.snapshots.find(({ id }) => id === snapshotId);
  const back = { label: snapshot?.name ?? 'Snapshot', href: portalPageHref(portalId, 'snapshots', snapshotId) };
  if (!data) return <PortalPagePlaceholder title="Change" back={back} error={error} onRetry={() => void refetch()} />;
  const names = nameWith(data.people);
  return (
    <>
      <PageHeader
        title={data.title ?? `Change in ledger entry ${data.entry}`}
        back={back}
        note={data.title === null ? 'The title is redacted or was not committed.' : undefined}
        actions={
          <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
            Print
          </Button>
        }
      />
      <div className={s.page}>
        <Panel title="Change">
          <Facts side items={changeFacts(data)} />
        </Panel>
        <Panel title="Chain of custody" flush>
          <PortalCustody change={data} names={names} />
        </Panel>
        <ChangeEvidence
          change={data}
          names={names}
          controlHref={(control) => portalPageHref(portalId, 'snapshots', snapshotId, 'controls', control)}
        />
        <PeopleKey change={data} hasNames={portal?.people === 'names'} />
        <InclusionProof change={data} />
      </div>
    </>
  );
}

const changeFacts = ({ repository, subject, entry, proof, asOf, receivedAt, source }: PortalChange) =>
  [
    ['Repository', repository ?? textOf(subject.repository)],
    ['Branch', `${textOf(subject.branch)}${subject.isDefaultBranch === true ? ' (default branch)' : ''}`],
    [
      'Pull request',
      subject.number === null || subject.number === undefined ? 'None: direct push' : `#${String(subject.number)}`,
    ],
    ['Merged commit', <Sha key="merge" value={subject.mergeSha} />],
    ['Head commit', <Sha key="head" value={subject.headSha} />],
    ['Happened', utcTimeText(asOf)],
    ['Recorded', `${utcTimeText(receivedAt)}, from ${providerNames[source as Provider] ?? source}`],
    ['Ledger entry', `${entry}, with ${proof} hashes to the root of the bundle's checkpoint`],
  ] as const;

const textOf = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : 'Unknown');

const Sha = ({ value }: { value: unknown }) =>
  typeof value === 'string' && value !== '' ? (
    <code className={s.hash}>{value}</code>
  ) : (
    <span className="dim">Unknown</span>
  );

/** Lists everyone on the page by pseudonym. Only the opaque IDs are part of the bundle. */
const PeopleKey = ({ change: { people }, hasNames }: { change: PortalChange; hasNames: boolean }) => (
  <Panel title="People" flush>
    <p className={s.about}>
      {hasNames
        ? 'The bundle identifies people by ID. The organization states their current names, which are not part of the signed evidence.'
        : 'The bundle identifies people by ID. This portal shows pseudonyms. Request the key from the organization to resolve them.'}
    </p>
    <DataTable
      label="People"
      columns={[
        { key: 'pseudonym', header: 'Pseudonym', width: 180, place: 'main', cell: ({ pseudonym }) => pseudonym },
        ...(hasNames
          ? [
              {
                key: 'name',
                header: 'Name',
                place: 'side' as const,
                cell: ({ name }: { name: string | null }) => name ?? <span className="dim">Deleted person</span>,
              },
            ]
          : []),
        {
          key: 'id',
          header: 'ID in the bundle',
          place: 'meta',
          cell: ({ id }) => <code className={s.hash}>{id}</code>,
        },
      ]}
      rows={people}
      rowKey={({ id }) => id}
      empty={null}
    />
  </Panel>
);

/** The signed text with its proof, so that an auditor can recompute the root by hand. */
const InclusionProof = ({ change: { inclusion, versions } }: { change: PortalChange }) => (
  <Panel title="Proof" aside={<CopyButton compact value={inclusion.entry} label="Copy the entry" />}>
    <Facts
      side
      items={[
        [
          'Versions',
          <ul key="versions" className={s.value}>
            {versions.map(({ entry, version, receivedAt, proof }) => (
              <li key={entry}>
                Version {version}: ledger entry {entry}, recorded on {utcTimeText(receivedAt)}, proof of {proof} hashes
              </li>
            ))}
          </ul>,
        ],
        [
          'Checkpoint',
          <pre key="checkpoint" className={s.proof}>
            {inclusion.checkpoint.trim()}
          </pre>,
        ],
        [
          'Inclusion proof',
          <ol key="proof" className={s.proof}>
            {inclusion.proof.map((hash) => (
              <li key={hash}>{hash}</li>
            ))}
          </ol>,
        ],
      ]}
    />
    <details className={s.more}>
      <summary>Text of the ledger entry</summary>
      <pre className={s.proof}>{inclusion.entry}</pre>
    </details>
  </Panel>
);
