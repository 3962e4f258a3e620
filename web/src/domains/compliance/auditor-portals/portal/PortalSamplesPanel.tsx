import { type AuditorSample, listAuditSamples } from '@sightline/contract/compliance/portal-samples.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import type { Column } from '../../../../ui/column.ts';
import { sampleColumns } from '../PortalSamples.tsx';
import { conclusionBadges } from '../sampleLabels.ts';
import { portalPageHref } from './usePortal.ts';

/** Lists the samples that the auditor kept, with their progress. */
export function PortalSamplesPanel({ portalId }: { portalId: string }) {
  const { data, error, refetch } = useQuery({
    ...endpointQuery(listAuditSamples, { params: { portalId } }),
    meta: { quiet: true },
  });
  return (
    <Panel title="Samples" flush>
      {error && !data ? (
        <Failure title="The samples could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label="Samples"
          columns={columns}
          rows={data}
          rowKey={({ id }) => id}
          rowHref={({ id }) => portalPageHref(portalId, 'samples', id)}
          empty={
            <Empty kind="nothing-yet" title="No samples">
              Keep a sample on the page of a control to write workpapers about its items.
            </Empty>
          }
        />
      )}
    </Panel>
  );
}

const columns: Column<AuditorSample>[] = [
  ...sampleColumns.slice(0, 3),
  {
    key: 'tested',
    header: 'Concluded',
    width: 170,
    cell: ({ tested, size }) => {
      const concluded = tested.effective + tested.exception + tested.inconclusive;
      return `${concluded} of ${size}${tested.exception > 0 ? `, ${tested.exception} ${tested.exception === 1 ? 'exception' : 'exceptions'}` : ''}`;
    },
  },
  {
    key: 'conclusion',
    header: 'Conclusion',
    width: 140,
    place: 'metaEnd',
    cell: ({ conclusion }) =>
      conclusion === null ? (
        <span className="dim">None</span>
      ) : (
        <StatusBadge tone={conclusionBadges[conclusion][0]}>{conclusionBadges[conclusion][1]}</StatusBadge>
      ),
  },
];
