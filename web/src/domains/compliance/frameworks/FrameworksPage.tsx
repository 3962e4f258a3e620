import { Button } from '@mantine/core';
import { type FrameworkSummary, listFrameworks } from '@sightline/contract/compliance/frameworks.ts';
import { IconListCheck, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Progress } from '#ui/Progress.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import type { Column } from '../../../ui/column.ts';
import { frameworkHref } from './frameworkLabels.ts';
import { ImportFrameworkDialog } from './ImportFrameworkDialog.tsx';

/** Lists the frameworks, each with how many of its requirements controls provide evidence for. */
export function FrameworksPage() {
  const { data, error, refetch } = useQuery({ ...endpointQuery(listFrameworks, {}), meta: { quiet: true } });
  const mayImport = hasPermission(useSession(), 'create:evidence');
  const [isImporting, setImporting] = useState(false);
  return (
    <>
      <PageHeader
        title="Frameworks"
        back={{ label: 'Evidence', href: '/evidence' }}
        help={{ href: docsHref('frameworks'), about: 'frameworks' }}
        note="A control provides evidence for a requirement and never fulfills it alone."
        actions={
          mayImport && (
            <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setImporting(true)}>
              Import profile
            </Button>
          )
        }
      />
      <Panel flush>
        {error && !data ? (
          <Failure title="The frameworks could not be loaded" error={error} onRetry={() => void refetch()} />
        ) : (
          <DataTable
            tall
            label="Frameworks"
            columns={columns}
            rows={data}
            rowKey={({ id }) => id}
            rowHref={frameworkHref}
            empty={
              <Empty kind="nothing-yet" title="No frameworks">
                Frameworks of the release and imported profiles appear here.
              </Empty>
            }
          />
        )}
      </Panel>
      {isImporting && <ImportFrameworkDialog onClose={() => setImporting(false)} />}
    </>
  );
}

const columns: readonly Column<FrameworkSummary>[] = [
  {
    key: 'name',
    header: 'Framework',
    place: 'main',
    cell: ({ name, kind, source }) => (
      <RowTitle
        glyph={<IconListCheck size={16} stroke={1.8} aria-hidden />}
        meta={<span className="truncate">{kind === 'imported' ? source : 'Part of the release'}</span>}
      >
        <RowName>{name}</RowName>
      </RowTitle>
    ),
  },
  {
    key: 'covered',
    header: 'Requirements with evidence',
    width: 280,
    place: 'meta',
    cell: ({ name, covered, requirements }) => (
      <Progress label={`${name}: requirements with a control`} done={covered} total={requirements} />
    ),
  },
  {
    key: 'mapping',
    header: 'Mappings',
    width: 160,
    place: 'side',
    cell: ({ mapping: { approved } }) =>
      approved ? <StatusBadge tone="green">Approved</StatusBadge> : <StatusBadge tone="gray">Not approved</StatusBadge>,
  },
];
