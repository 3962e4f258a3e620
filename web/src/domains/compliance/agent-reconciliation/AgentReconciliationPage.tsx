import { Button } from '@mantine/core';
import { exportReconciledAgents, listReconciledAgents } from '@sightline/contract/compliance/agent-reconciliation.ts';
import { IconDownload, IconGitCompare } from '@tabler/icons-react';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { useExport } from '#lib/use-export.ts';
import { Empty } from '#ui/Empty.tsx';
import { ExportProgress } from '#ui/Export.tsx';
import { Link } from '#ui/Link.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { toast } from '#ui/toast.ts';
import { ReconciliationFilters, useFilterTexts } from './ReconciliationFilters.tsx';
import { ReconciliationTabs } from './ReconciliationTabs.tsx';
import { ReconciliationTrend } from './ReconciliationTrend.tsx';
import { reconciledAgentColumns } from './reconciliationColumns.tsx';

/** Lists the agents of merged changes: declared, observed, both, neither, or without evidence. */
export function AgentReconciliationPage() {
  const list = usePagedList(listReconciledAgents);
  const { query, setQuery } = list;
  const { page: _, perPage: _perPage, ...exportQuery } = query;
  const exporting = useExport(exportReconciledAgents, () => toast.success('The agent reconciliation was exported.'));
  const [status] = query.status.length === 1 ? query.status : [];
  const isDifference = status === 'declared_only' || status === 'observed_only';
  return (
    <>
      <PageHeader
        title="Agent reconciliation"
        back={{ label: 'Tool Inventory', href: '/tools' }}
        help={{ href: docsHref('agents', 'reconciliation'), about: 'the reconciliation of agents' }}
        note="What commits, notes and traces declare of agents, compared with what telemetry of agents shows."
        actions={
          <>
            <Button component={Link} href="/agent-sessions" variant="default">
              Agent sessions
            </Button>
            <Button
              variant="default"
              leftSection={<IconDownload size={15} aria-hidden />}
              disabled={exporting.state !== undefined || list.total === 0}
              onClick={() => exporting.start({ query: exportQuery })}
            >
              Export CSV
            </Button>
          </>
        }
      />
      {exporting.state && (
        <ExportProgress
          state={exporting.state}
          label="Exporting the agent reconciliation"
          noun="rows"
          onStop={exporting.stop}
          onRetry={exporting.retry}
        />
      )}
      <ReconciliationTabs current={`/agent-reconciliation${isDifference ? `?status=${status}` : ''}`} />
      {!list.isEmptyUnfiltered && (
        <>
          <ReconciliationTrend filter={query} />
          <ReconciliationFilters searchLabel="Search changes" query={query} setQuery={setQuery} />
        </>
      )}
      <PagedTable
        tall
        list={list}
        label="Agents of changes"
        noun="rows"
        columns={reconciledAgentColumns}
        rowKey={({ change, agent }) => `${change.id} ${agent ?? ''}`}
        rowHref={({ change }) => `/changes/${change.id}`}
        noMatch="No change matches"
        filters={useFilterTexts(query)}
        empty={
          <Empty
            kind="nothing-yet"
            title="Nothing to reconcile yet"
            icon={<IconGitCompare size={19} stroke={1.6} />}
            action={
              <Button component={Link} href="/agent-sessions/setup" variant="default">
                Set up an agent
              </Button>
            }
          >
            Merges into default branches appear here with the agents that they declare, compared with the sessions that
            agents report.
          </Empty>
        }
      />
    </>
  );
}
