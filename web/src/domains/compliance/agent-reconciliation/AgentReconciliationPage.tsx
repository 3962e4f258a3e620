import { Button } from '@mantine/core';
import { listReconciledAgents } from '@sightline/contract/compliance/agent-reconciliation.ts';
import { IconGitCompare } from '@tabler/icons-react';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { Empty } from '#ui/Empty.tsx';
import { Link } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { ReconciliationFilters, useFilterTexts } from './ReconciliationFilters.tsx';
import { ReconciliationTabs } from './ReconciliationTabs.tsx';
import { ReconciliationTrend } from './ReconciliationTrend.tsx';
import { reconciledAgentColumns } from './reconciliationColumns.tsx';

/** Lists the agents of merged changes: declared, observed, both, neither, or without evidence. */
export function AgentReconciliationPage() {
  const list = usePagedList(listReconciledAgents);
  const { query, setQuery } = list;
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
          <Button component={Link} href="/agent-sessions" variant="default">
            Agent sessions
          </Button>
        }
      />
      <ReconciliationTabs current={`/agent-reconciliation${isDifference ? `?status=${status}` : ''}`} />
      {!list.isEmptyUnfiltered && (
        <>
          <ReconciliationTrend filter={query} />
          <ReconciliationFilters searchLabel="Search changes" query={query} setQuery={setQuery} />
        </>
      )}
      <ListTable
        views="agent-reconciliation"
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
