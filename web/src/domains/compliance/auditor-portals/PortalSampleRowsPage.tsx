import type { PortalRow } from '@sightline/contract/compliance/auditor-portals.ts';
import {
  type Attachment,
  attachToPortal,
  downloadPortalAttachment,
} from '@sightline/contract/compliance/portal-attachments.ts';
import { getPortalSampleRows } from '@sightline/contract/compliance/portal-samples.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { endpointQuery } from '#lib/api.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Facts } from '#ui/Facts.tsx';
import { evaluatedItemName } from '#ui/item-name.ts';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { verdictBadges } from '#ui/verdicts.ts';
import type { Column } from '../../../ui/column.ts';
import { Attachments } from './Attachments.tsx';
import s from './Portals.module.css';
import { PortalPagePlaceholder } from './portal/PortalPagePlaceholder.tsx';
import { portalsPath } from './portalLabels.ts';
import { sampleFacts } from './sampleFacts.tsx';

interface SampleRow {
  row: PortalRow;
  attachments: Attachment[];
}

const endpoints = { attach: attachToPortal, download: downloadPortalAttachment };

/** Shows members a sample of the auditor, and attaches evidence to its items. */
export function PortalSampleRowsPage() {
  const params = useParams({ strict: false }) as { portalId: string; sampleId: string };
  const canManage = hasPermission(useSession(), 'create:evidence');
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getPortalSampleRows, { params }),
    meta: { quiet: true },
  });
  const back = { label: 'Auditor portal', href: `${portalsPath}/${params.portalId}` };
  if (!data) return <PortalPagePlaceholder title="Sample" back={back} error={error} onRetry={() => void refetch()} />;
  const filesOf = (files: readonly Attachment[], position: number, about: string) => (
    <Attachments
      portalId={params.portalId}
      endpoints={endpoints}
      files={files}
      place={canManage ? { sample: params.sampleId, position } : undefined}
      about={about}
    />
  );
  const fileColumn: Column<SampleRow> = {
    key: 'files',
    header: 'Files',
    width: 360,
    place: 'below',
    cell: ({ row, attachments }) => (
      <div className={s.cellFiles}>{filesOf(attachments, row.position, `item ${row.position + 1}`)}</div>
    ),
  };
  return (
    <>
      <PageHeader title={data.name} back={back} note="Selected by the auditor. Files that you attach appear there." />
      <div className={s.page}>
        <Panel title="Sample">
          <Facts side items={sampleFacts(data)} />
        </Panel>
        <Panel title="Files of the sample">{filesOf(data.attachments, -1, 'the sample')}</Panel>
        <Panel title="Items" flush>
          <DataTable
            tall
            label="Items"
            columns={[...itemColumns, fileColumn]}
            rows={data.rows}
            rowKey={({ row }) => String(row.position)}
            empty={null}
          />
        </Panel>
      </div>
    </>
  );
}

const itemColumns: Column<SampleRow>[] = [
  {
    key: 'position',
    header: 'No.',
    width: 70,
    cell: ({ row }) => <span className="num">{row.position + 1}</span>,
  },
  {
    key: 'subject',
    header: 'Item',
    place: 'main',
    cell: ({ row }) => <b className="truncate">{row.title ?? evaluatedItemName(row.subject)}</b>,
  },
  {
    key: 'verdict',
    header: 'Verdict',
    width: 140,
    place: 'side',
    cell: ({ row }) => <StatusBadge tone={verdictBadges[row.verdict][0]}>{verdictBadges[row.verdict][1]}</StatusBadge>,
  },
];
