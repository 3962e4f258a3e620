import { Button } from '@mantine/core';
import {
  exportFramework,
  type FrameworkDetails,
  type FrameworkFormat,
  type FrameworkRequirement,
  getFramework,
  removeFramework,
} from '@sightline/contract/compliance/frameworks.ts';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { docsHref } from '#lib/docs.ts';
import { download } from '#lib/download.ts';
import { usePeriodInAddress } from '#lib/period-in-address.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { ExportMenu } from '#ui/Export.tsx';
import { ExternalLink } from '#ui/ExternalLink.tsx';
import { Failure } from '#ui/Failure.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { PeriodPicker } from '#ui/PeriodPicker.tsx';
import { toast } from '#ui/toast.ts';
import s from './Frameworks.module.css';
import { MappingDialog } from './MappingDialog.tsx';
import { MappingPanel } from './MappingPanel.tsx';
import { RequirementDialog } from './RequirementDialog.tsx';
import { RequirementsTable } from './RequirementsTable.tsx';

const back = { label: 'Frameworks', href: '/evidence/frameworks' };

/** Shows the requirements of a framework, and how their controls performed in a period. */
export function FrameworkPage() {
  const { frameworkId } = useParams({ strict: false }) as { frameworkId: string };
  const [period, setPeriod] = usePeriodInAddress();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...endpointQuery(getFramework, { params: { frameworkId }, query: { period } }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const picker = <PeriodPicker period={period} onChange={setPeriod} />;
  if (data && data.id === frameworkId) {
    return <Loaded framework={data} period={period} picker={picker} isStale={isPlaceholderData} />;
  }
  return (
    <>
      <PageHeader title="Framework" back={back} actions={picker} />
      {error ? (
        <Panel>
          <Failure title="The framework could not be loaded" error={error} onRetry={() => void refetch()} />
        </Panel>
      ) : (
        <p className="dim" role="status" aria-busy>
          Loading
        </p>
      )}
    </>
  );
}

interface LoadedProps {
  framework: FrameworkDetails;
  period: string;
  picker: React.ReactNode;
  /** The requirements of another period, while those of the chosen one load. */
  isStale: boolean;
}

function Loaded({ framework, period, picker, isStale }: LoadedProps) {
  const params = { frameworkId: framework.id };
  const mayChange = hasPermission(useSession(), 'create:evidence');
  const [dialog, setDialog] = useState<{ kind: 'details' | 'mapping'; row: FrameworkRequirement } | 'remove'>();
  const close = () => setDialog(undefined);
  const navigate = useNavigate();
  const isImported = framework.kind === 'imported';
  const save = useMutation({
    mutationFn: (format: FrameworkFormat) => download(exportFramework, { params, query: { period, format } }),
    meta: { quiet: true },
    onError: (error) => toast.error(errorMessageOf(error, 'The framework was not exported. Try again.')),
  });
  const remove = useChange(
    () => call(removeFramework, { params }),
    () => navigate(back.href),
    { failed: 'The framework was not removed. Try again.' },
  );
  return (
    <>
      <PageHeader
        title={framework.name}
        back={back}
        help={{ href: docsHref('frameworks'), about: 'frameworks' }}
        note={<Note framework={framework} />}
        actions={
          <>
            {picker}
            <ExportMenu formats={formats} disabled={save.isPending} onExport={(format) => save.mutate(format)} />
            {isImported && mayChange && (
              <Button variant="default" onClick={() => setDialog('remove')}>
                Remove
              </Button>
            )}
          </>
        }
      />
      <div className={s.page}>
        <MappingPanel framework={framework} mayApprove={mayChange} />
        <RequirementsTable
          framework={framework}
          period={period}
          isStale={isStale}
          {...(mayChange && {
            onEdit: (row: FrameworkRequirement) => setDialog({ kind: 'details', row }),
            ...(isImported && { onMap: (row: FrameworkRequirement) => setDialog({ kind: 'mapping', row }) }),
          })}
        />
      </div>
      {typeof dialog === 'object' && dialog.kind === 'details' && (
        <RequirementDialog frameworkId={framework.id} row={dialog.row} onClose={close} />
      )}
      {typeof dialog === 'object' && dialog.kind === 'mapping' && (
        <MappingDialog framework={framework} row={dialog.row} onClose={close} />
      )}
      <ConfirmDialog
        opened={dialog === 'remove'}
        onClose={close}
        title={`Remove ${framework.name}?`}
        confirm="Remove"
        danger
        pending={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        Its mappings, owners and notes are no longer shown. The ledger keeps its mappings and approvals.
      </ConfirmDialog>
    </>
  );
}

const Note = ({ framework: { kind, source, identifiers, hasPublishedTitles, covered, requirements } }: NoteProps) => (
  <>
    {covered} of {requirements} requirements have a control.{' '}
    {kind === 'built_in' ? <ExternalLink href={source}>Source</ExternalLink> : `Source: ${source}.`}{' '}
    {!hasPublishedTitles && 'Titles are short names, not the text of the standard. '}
    {identifiers}
  </>
);

interface NoteProps {
  framework: FrameworkDetails;
}

const formats = [
  { format: 'csv', label: 'CSV', description: 'for spreadsheets' },
  { format: 'oscal', label: 'OSCAL', description: 'assessment results' },
  { format: 'pdf', label: 'PDF', description: 'for reading' },
] as const;
