import { Button } from '@mantine/core';
import { exportPersonalData, getPersonalData } from '@sightline/contract/organization/personal-data.ts';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { useExport } from '#lib/use-export.ts';
import { ExportProgress } from '#ui/Export.tsx';
import { Failure } from '#ui/Failure.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { toast } from '#ui/toast.ts';
import s from './Collected.module.css';
import { PersonalDataTables } from './CollectedTables.tsx';
import { RequestDataDeletion } from './OwnErasure.tsx';
import { RecordingPauses } from './Pauses.tsx';

/** Shows the personal data of the current user, their pauses, and the request for data deletion. */
export function PersonalDataPage() {
  const result = useQuery({ ...endpointQuery(getPersonalData, {}), meta: { quiet: true } });
  const exporting = useExport(exportPersonalData, () => toast.success('Your data was exported.'));
  const { data } = result;
  return (
    <>
      <PageHeader
        title="Your data"
        help={{ href: docsHref('privacy'), about: 'privacy' }}
        note="Data that this organization has recorded about you: source, visibility and retention."
        actions={
          <Button
            variant="default"
            leftSection={<IconDownload size={15} aria-hidden />}
            disabled={exporting.state !== undefined}
            onClick={() => exporting.start({})}
          >
            Export as JSON
          </Button>
        }
      />
      {exporting.state && (
        <ExportProgress
          state={exporting.state}
          label="Exporting your data"
          noun="lines"
          onStop={exporting.stop}
          onRetry={exporting.retry}
        />
      )}
      {result.isError && !data ? (
        <Panel flush>
          <Failure title="Your data could not be loaded" error={result.error} onRetry={() => void result.refetch()} />
        </Panel>
      ) : (
        <div className={s.sections}>
          <PersonalDataTables items={data?.items} />
          {data && <RecordingPauses pauses={data.pauses} />}
          {data && <RequestDataDeletion erasure={data.erasure} backupDays={data.backupDays} />}
        </div>
      )}
    </>
  );
}
