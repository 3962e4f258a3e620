import { Button } from '@mantine/core';
import { exportPersonalData, getPersonalData } from '@sightline/contract/organization/personal-data.ts';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { useExport } from '#lib/use-export.ts';
import { ExportProgress } from '#ui/Export.tsx';
import { Failure } from '#ui/Failure.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { toast } from '#ui/toast.ts';
import s from './Collected.module.css';
import { CollectedTables } from './CollectedTables.tsx';
import { OwnErasure } from './OwnErasure.tsx';
import { Pauses } from './Pauses.tsx';

/** Everything the organization recorded about whoever looks, when they paused it, and how to have it erased. */
export function CollectedPage() {
  const asked = useQuery({ ...ask(getPersonalData, {}), meta: { quiet: true } });
  const exporting = useExport(exportPersonalData, () => toast.success('Your data was exported.'));
  const { data } = asked;
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
      {asked.isError && !data ? (
        <Panel flush>
          <Failure title="Your data could not be loaded" error={asked.error} onRetry={() => void asked.refetch()} />
        </Panel>
      ) : (
        <div className={s.sections}>
          <CollectedTables items={data?.items} />
          {data && <Pauses pauses={data.pauses} />}
          {data && <OwnErasure erasure={data.erasure} backupDays={data.backupDays} />}
        </div>
      )}
    </>
  );
}
