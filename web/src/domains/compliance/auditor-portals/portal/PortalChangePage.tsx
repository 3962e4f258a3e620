import { getPortalChange } from '@sightline/contract/compliance/auditor-portals.ts';
import type { CallOutput } from '@sightline/contract/core/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { endpointQuery } from '#lib/api.ts';
import { Facts } from '#ui/Facts.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { utcTimeText } from '../portalLabels.ts';
import s from './Portal.module.css';
import { PortalPagePlaceholder } from './PortalPagePlaceholder.tsx';
import { portalPageHref, usePortal, usePortalId } from './usePortal.ts';

type PortalChange = CallOutput<typeof getPortalChange>;

/** Shows the change record from the bundle, with the completeness of each part. */
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
  return (
    <>
      <PageHeader
        title={data.title ?? `Change in ledger entry ${data.entry}`}
        back={back}
        note={data.title === null ? 'The title is redacted or was not committed.' : undefined}
      />
      <div className={s.page}>
        <Panel title="In the ledger">
          <Facts side items={ledgerFacts(data)} />
        </Panel>
        <Panel title="Disclosed fields">
          <Facts side items={shown(data.subject)} />
        </Panel>
        <Panel title="Parts of the record">
          <Facts side items={shown(data.parts)} />
        </Panel>
      </div>
    </>
  );
}

const ledgerFacts = ({ entry, proof, asOf, receivedAt, source }: PortalChange) =>
  [
    ['Entry', `${entry}, with ${proof} hashes to the root of the bundle's checkpoint`],
    ['Happened', utcTimeText(asOf)],
    ['Recorded at', utcTimeText(receivedAt)],
    ['Source', source],
  ] as const;

const shown = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).map(([name, value]) => [labelOf(name), <Value key={name} value={value} />] as const);

/** Formats a value; of a part of the record, the completeness precedes the value. */
function Value({ value }: { value: unknown }) {
  if (!isRecord(value)) return <Plain value={value} />;
  const { state, value: known, ...others } = value;
  if (state === 'missing') return <span className="dim">Unknown</span>;
  if ((state === 'complete' || state === 'partial') && Object.keys(others).length === 0) {
    return (
      <>
        {state === 'partial' && <span className="dim">At least: </span>}
        <Plain value={known} />
      </>
    );
  }
  return <Plain value={value} />;
}

function Plain({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span className="dim">None</span>;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string' && moment.test(value)) return utcTimeText(value);
  if (typeof value !== 'object') return <code className={s.hash}>{String(value)}</code>;
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="dim">None</span>;
    return (
      <ul className={s.value}>
        {value.map((one) => (
          <li key={JSON.stringify(one)}>
            <Plain value={one} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <ul className={s.value}>
      {Object.entries(value).map(([name, one]) => (
        <li key={name}>
          <span className="dim">{labelOf(name)}: </span>
          <Value value={one} />
        </li>
      ))}
    </ul>
  );
}

const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** 'mergedAt' becomes 'Merged at', 'mergeSha' 'Merge SHA'. */
const labelOf = (name: string): string =>
  name
    .replace(/^ai$/, 'AI')
    .replace(/Sha$/, ' SHA')
    .replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replace(/^./, (first) => first.toUpperCase());
