import { type AuditSample, listPortalSamples } from '@sightline/contract/compliance/portal-samples.ts';
import { IconListCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import type { Column } from '../../../ui/column.ts';
import { portalsPath, utcTimeText } from './portalLabels.ts';
import { methodLabels } from './sampleLabels.ts';

/** Lists the samples that the auditor kept, for which the organization attaches evidence. */
export function PortalSamples({ portalId }: { portalId: string }) {
  const { data, error, refetch } = useQuery({
    ...endpointQuery(listPortalSamples, { params: { portalId } }),
    meta: { quiet: true },
  });
  return (
    <Panel title="Samples" flush>
      {error && !data ? (
        <Failure title="The samples could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label="Samples"
          columns={sampleColumns}
          rows={data}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `${portalsPath}/${portalId}/samples/${id}`}
          empty={
            <Empty kind="nothing-yet" title="No samples">
              Samples that the auditor keeps appear here. You can attach files to their items.
            </Empty>
          }
        />
      )}
    </Panel>
  );
}

/** Columns of samples that both sides see. */
export const sampleColumns: Column<AuditSample>[] = [
  {
    key: 'name',
    header: 'Sample',
    place: 'main',
    cell: ({ name, control, snapshot }) => (
      <RowTitle glyph={<IconListCheck size={16} stroke={1.8} aria-hidden />} meta={`${control}, ${snapshot.name}`}>
        <RowName>{name}</RowName>
      </RowTitle>
    ),
  },
  { key: 'method', header: 'Method', width: 130, place: 'meta', cell: ({ method }) => methodLabels[method] },
  {
    key: 'size',
    header: 'Items',
    width: 130,
    place: 'side',
    cell: ({ size, population }) => `${size} of ${population}`,
  },
  {
    key: 'date',
    header: 'Selected',
    width: 200,
    place: 'metaEnd',
    cell: ({ createdAt }) => <time dateTime={createdAt}>{utcTimeText(createdAt)}</time>,
  },
];
