import {
  listReconciledAgents,
  listReconciliationGroups,
  type ReconciliationGroupKind,
} from '@sightline/contract/compliance/agent-reconciliation.ts';
import { useParams } from '@tanstack/react-router';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { stringifySearch } from '#lib/search-params.ts';
import { patchSearch } from '#lib/url-query.ts';
import { Empty } from '#ui/Empty.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { ReconciliationFilters, useFilterTexts } from './ReconciliationFilters.tsx';
import { ReconciliationTabs } from './ReconciliationTabs.tsx';
import { groupColumns } from './reconciliationColumns.tsx';

const views: Record<string, { by: ReconciliationGroupKind; header: string; noun: string }> = {
  agents: { by: 'agent', header: 'Agent', noun: 'agents' },
  models: { by: 'model', header: 'Model', noun: 'models' },
  people: { by: 'person', header: 'Person', noun: 'people' },
};

/** Counts the agents of merged changes by agent, model or person; each row links to its changes. */
export function ReconciliationGroupsPage() {
  const { group = 'agents' } = useParams({ strict: false });
  const view = views[group] ?? { by: 'agent' as const, header: 'Agent', noun: 'agents' };
  const list = usePagedList(listReconciliationGroups, {
    input: (query) => ({ query: { ...query, by: view.by } }),
    view: ['by'],
  });
  const { query, setQuery } = list;
  const hrefOf = (key: string) => {
    const { status, agent, model, person, repository, period } = query;
    const filter = {
      status,
      agent,
      model,
      person,
      repository,
      ...(period !== undefined && { period }),
      [view.by]: [key],
    };
    return `/agent-reconciliation${stringifySearch(patchSearch(listReconciledAgents.query, {}, filter))}`;
  };
  return (
    <>
      <PageHeader
        title="Agent reconciliation"
        back={{ label: 'Tool Inventory', href: '/tools' }}
        help={{ href: docsHref('agents', 'reconciliation'), about: 'the reconciliation of agents' }}
        note="Changes of the selected period, otherwise of the last 90 days. The cost per change is that of the observed sessions, each once, divided by the changes that they are joined to."
      />
      <ReconciliationTabs current={`/agent-reconciliation/${group}`} />
      {!list.isEmptyUnfiltered && (
        <ReconciliationFilters searchLabel={`Search ${view.noun}`} query={query} setQuery={setQuery} />
      )}
      <ListTable
        views="agent-groups"
        tall
        list={list}
        label={`Reconciliation by ${view.by}`}
        noun={view.noun}
        columns={groupColumns(view.header)}
        rowKey={({ key }) => key}
        rowHref={({ key }) => hrefOf(key)}
        noMatch={`No ${view.by} matches`}
        filters={useFilterTexts(query)}
        empty={
          <Empty kind="nothing-yet" title={`No ${view.noun} yet`}>
            Changes with declared or observed agents are counted here.
          </Empty>
        }
      />
    </>
  );
}
