import { Button, Select, Textarea } from '@mantine/core';
import { attachAsAuditor, downloadAsAuditor } from '@sightline/contract/compliance/portal-attachments.ts';
import {
  type AuditSampleDetails,
  type Conclusion,
  conclusions,
  getAuditSample,
  type Workpaper,
  writeWorkpaper,
} from '@sightline/contract/compliance/portal-samples.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Facts } from '#ui/Facts.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import type { Column } from '../../../../ui/column.ts';
import { Attachments } from '../Attachments.tsx';
import { utcTimeText } from '../portalLabels.ts';
import { sampleFacts } from '../sampleFacts.tsx';
import { conclusionBadges } from '../sampleLabels.ts';
import s from './Portal.module.css';
import { PortalPagePlaceholder } from './PortalPagePlaceholder.tsx';
import { portalItemColumnsOf } from './rowColumns.tsx';
import { portalPageHref, usePortalId } from './usePortal.ts';

type SampleRow = AuditSampleDetails['rows'][number];
/** The row whose workpaper is open; -1: the sample as a whole. */
interface OpenedPaper {
  position: number;
  title: string;
  paper: Workpaper | null;
}

const endpoints = { attach: attachAsAuditor, download: downloadAsAuditor };

/** Shows a kept sample with the workpaper of each item: conclusion, note and files. */
export function PortalSamplePage() {
  const portalId = usePortalId();
  const { sampleId } = useParams({ strict: false }) as { sampleId: string };
  const [opened, setOpened] = useState<OpenedPaper>();
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getAuditSample, { params: { portalId, sampleId } }),
    // No realtime event tells an auditor that the organization attached a file.
    staleTime: 0,
    meta: { quiet: true },
  });
  const back = { label: 'Portal', href: portalPageHref(portalId) };
  if (!data) return <PortalPagePlaceholder title="Sample" back={back} error={error} onRetry={() => void refetch()} />;
  const ofSample = { position: -1, title: 'Conclusion of the sample', paper: data.workpaper };
  return (
    <>
      <PageHeader
        title={data.name}
        back={back}
        note="The organization sees the sample and its own files. It sees conclusions and notes after you sign your result."
      />
      <div className={s.page}>
        <Panel title="Sample">
          <Facts side items={sampleFacts(data)} />
        </Panel>
        <Panel title="Conclusion" aside={<WriteButton paper={ofSample} onOpen={setOpened} />}>
          <Paper paper={data.workpaper} />
          <Attachments
            portalId={portalId}
            endpoints={endpoints}
            files={data.attachments}
            place={{ sample: sampleId, position: -1 }}
            about="the sample"
          />
        </Panel>
        <Panel title="Items" flush>
          <DataTable
            tall
            label="Items"
            columns={columnsOf({ portalId, data, onOpen: setOpened })}
            rows={data.rows}
            rowKey={({ row }) => String(row.position)}
            empty={null}
          />
        </Panel>
      </div>
      {opened && (
        <WorkpaperDialog
          key={opened.position}
          params={{ portalId, sampleId }}
          opened={opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

const WriteButton = ({ paper, onOpen }: { paper: OpenedPaper; onOpen: (paper: OpenedPaper) => void }) => (
  <Button
    variant="default"
    size="compact-sm"
    aria-label={`${paper.paper ? 'Change' : 'Conclude'}: ${paper.title}`}
    onClick={() => onOpen(paper)}
  >
    {paper.paper ? 'Change' : 'Conclude'}
  </Button>
);

const Paper = ({ paper }: { paper: Workpaper | null }) =>
  paper === null ? (
    <p className="dim">No conclusion yet.</p>
  ) : (
    <div className={s.paper}>
      <StatusBadge tone={conclusionBadges[paper.conclusion][0]}>{conclusionBadges[paper.conclusion][1]}</StatusBadge>
      {paper.note !== '' && <p className={s.note}>{paper.note}</p>}
      <p className="dim">
        Version {paper.version}, {utcTimeText(paper.writtenAt)}
      </p>
    </div>
  );

interface ColumnsOptions {
  portalId: string;
  data: AuditSampleDetails;
  onOpen: (paper: OpenedPaper) => void;
}

function columnsOf({ portalId, data, onOpen }: ColumnsOptions): Column<SampleRow>[] {
  const items = portalItemColumnsOf((entry) =>
    portalPageHref(portalId, 'snapshots', data.snapshot.id, 'changes', entry),
  );
  const shown = items.filter(({ key }) => key !== 'at' && key !== 'leaf');
  return [
    ...shown.map(({ cell, ...column }): Column<SampleRow> => ({ ...column, cell: ({ row }) => cell(row) })),
    {
      key: 'paper',
      header: 'Workpaper',
      width: 340,
      place: 'below',
      cell: ({ row, workpaper, attachments }) => (
        <div className={s.cell}>
          <Paper paper={workpaper} />
          <Attachments
            portalId={portalId}
            endpoints={endpoints}
            files={attachments}
            place={{ sample: data.id, position: row.position }}
            about={`item ${row.position + 1}`}
          />
          <WriteButton
            paper={{ position: row.position, title: `item ${row.position + 1}`, paper: workpaper }}
            onOpen={onOpen}
          />
        </div>
      ),
    },
  ];
}

interface DialogProps {
  params: { portalId: string; sampleId: string };
  opened: OpenedPaper;
  onClose: () => void;
}

function WorkpaperDialog({ params, opened: { position, title, paper }, onClose }: DialogProps) {
  const [conclusion, setConclusion] = useState<Conclusion | null>(paper?.conclusion ?? null);
  const [note, setNote] = useState(paper?.note ?? '');
  const save = useChange(
    () =>
      call(writeWorkpaper, { params, body: { position, conclusion: conclusion ?? 'not_tested', note: note.trim() } }),
    onClose,
    { quiet: true },
  );
  return (
    <FormDialog
      title={`Workpaper: ${title}`}
      submit="Save"
      ready={conclusion !== null}
      pending={save.isPending}
      problem={save.error ? errorMessageOf(save.error, 'The workpaper was not saved. Try again.') : undefined}
      onClose={onClose}
      onSubmit={() => save.mutate()}
    >
      <Select
        label="Conclusion"
        placeholder="Choose a conclusion"
        data={conclusions.map((value) => ({ value, label: conclusionBadges[value][1] }))}
        value={conclusion}
        onChange={(value) => setConclusion(value as Conclusion | null)}
      />
      <Textarea
        label="Note"
        description="What you inspected, and what follows from it. Earlier versions are kept."
        maxLength={8000}
        autosize
        minRows={4}
        maxRows={14}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </FormDialog>
  );
}
