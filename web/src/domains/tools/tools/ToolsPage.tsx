import { Button } from '@mantine/core';
import { exportTools } from '@sightline/contract/tools/tools.ts';
import { IconDownload } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { docsHref } from '#lib/docs.ts';
import { stringifySearch } from '#lib/search-params.ts';
import { patchSearch } from '#lib/url-query.ts';
import { useExport } from '#lib/use-export.ts';
import { Link } from '#ui/Link.tsx';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { toast } from '#ui/toast.ts';
import { ListViews } from '../../timeline/views/ListViews.tsx';
import { ToolsTable } from './ToolsTable.tsx';
import { type ToolsQuery, toolsFilterOf, toolsQuery } from './toolsQuery.ts';
import { useTools } from './useTools.ts';

// Loaded with the first export.
const ExportProgress = lazy(async () => ({ default: (await import('#ui/Export.tsx')).ExportProgress }));

/** Lists the tools of the organization's builds, checks and developers (spec 2.10). */
export function ToolsPage() {
  const list = useTools();
  const { query, filterOptions } = list;
  const isCurrent = query.ledgerSize === undefined;
  const exporting = useExport(exportTools, () => toast.success('The tools were exported.'));
  const tabHref = (tab: ToolsQuery['tab']) => {
    const { activeRange, from, to, ledgerSize } = query;
    return `/tools${stringifySearch(patchSearch(toolsQuery, {}, { tab, activeRange, from, to, ledgerSize }))}`;
  };
  return (
    <>
      <PageHeader
        title="Tool Inventory"
        help={{ href: docsHref('tools'), about: 'the Tool Inventory' }}
        freshness={
          isCurrent &&
          list.rows && (
            <>
              Updated <TimeAgo at={new Date(list.updatedAt).toISOString()} />
            </>
          )
        }
        actions={
          <>
            <Button component={Link} href="/agent-sessions" variant="default">
              Agent sessions
            </Button>
            <ListViews list="tools" />
            <Button
              variant="default"
              leftSection={<IconDownload size={15} aria-hidden />}
              disabled={exporting.state !== undefined || list.total === 0}
              onClick={() => exporting.start({ body: toolsFilterOf(query, new Date()) })}
            >
              Export CSV
            </Button>
          </>
        }
      />
      {exporting.state && (
        <Suspense>
          <ExportProgress
            state={exporting.state}
            label="Exporting tools"
            noun="tools"
            onStop={exporting.stop}
            onRetry={exporting.retry}
          />
        </Suspense>
      )}
      <LinkTabs
        label="Tool Inventory"
        current={tabHref(query.tab)}
        tabs={[
          { label: 'CI/CD Tools', href: tabHref('ci/cd'), count: isCurrent ? filterOptions?.totals.cicd : undefined },
          {
            label: 'Developer Tools',
            href: tabHref('developer'),
            count: isCurrent ? filterOptions?.totals.developer : undefined,
          },
        ]}
      />
      <ToolsTable key={query.tab} list={list} isSingleRepository={false} />
    </>
  );
}
