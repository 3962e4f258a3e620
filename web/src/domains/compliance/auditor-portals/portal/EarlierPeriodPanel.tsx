import { type EarlierSample, getEarlierPortal } from '@sightline/contract/compliance/portal-samples.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { snapshotPeriodName } from '#ui/snapshotText.ts';
import type { Column } from '../../../../ui/column.ts';
import { conclusionBadges, methodLabels } from '../sampleLabels.ts';
import s from './Portal.module.css';

/** Lists the samples of the portal that this one continues: their method, and conclusions as references. */
export function EarlierPeriodPanel({ portalId }: { portalId: string }) {
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getEarlierPortal, { params: { portalId } }),
    staleTime: 60_000,
    meta: { quiet: true },
  });
  if (error && !data)
    return (
      <Panel title="Earlier period">
        <Failure title="The earlier period could not be loaded" error={error} onRetry={() => void refetch()} />
      </Panel>
    );
  if (!data?.portal) return null;
  return (
    <Panel title="Earlier period" flush>
      <p className={s.draw}>
        <span className="dim">
          This portal continues {data.portal.name}. Its conclusions are references to the earlier period and no results
          of this one.
        </span>
      </p>
      <DataTable
        label="Samples of the earlier period"
        columns={columns}
        rows={data.samples}
        rowKey={({ id }) => id}
        empty={<Empty kind="nothing-yet" title="No samples in the earlier period" />}
      />
    </Panel>
  );
}

const columns: Column<EarlierSample>[] = [
  { key: 'name', header: 'Sample', place: 'main', cell: ({ control, name }) => `${control} ${name}` },
  {
    key: 'period',
    header: 'Period',
    width: 120,
    place: 'meta',
    cell: ({ snapshot }) => snapshotPeriodName(snapshot.period),
  },
  {
    key: 'method',
    header: 'Method',
    place: 'side',
    cell: ({ method, size, population, reason }) =>
      `${methodLabels[method]}, ${size} of ${population}${reason === '' ? '' : `: ${reason}`}`,
  },
  {
    key: 'exceptions',
    header: 'Exceptions',
    width: 120,
    cell: ({ tested, exceptions }) => `${exceptions} of ${tested}`,
  },
  {
    key: 'conclusion',
    header: 'Concluded then',
    width: 150,
    place: 'metaEnd',
    cell: ({ conclusion }) =>
      conclusion === null ? (
        <span className="dim">None</span>
      ) : (
        <StatusBadge tone={conclusionBadges[conclusion][0]}>{conclusionBadges[conclusion][1]}</StatusBadge>
      ),
  },
];
