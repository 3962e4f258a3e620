import { listPolicyKinds } from '@sightline/contract/compliance/policies.ts';
import { listPolicyChanges, type PolicyChangesQuery } from '@sightline/contract/compliance/policy-changes.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { type PolicyChangeAction, PolicyChangeDialog } from './PolicyChangeDialog.tsx';
import { policyChangeColumns } from './policyChangeColumns.tsx';
import { policyChangesPath } from './policyChangeTexts.ts';
import { policiesPath } from './policyLabels.ts';

const views: readonly { view: PolicyChangesQuery['view']; label: string; emptyTitle: string; emptyText: string }[] = [
  {
    view: 'pending',
    label: 'Pending',
    emptyTitle: 'No pending changes',
    emptyText: 'A change of a policy that makes a control less strict appears here until another person decides.',
  },
  {
    view: 'decided',
    label: 'Decided',
    emptyTitle: 'No decisions',
    emptyText: 'Approved, rejected and withdrawn changes appear here.',
  },
];

const hrefOf = (view: PolicyChangesQuery['view']) =>
  view === 'pending' ? policyChangesPath : `${policyChangesPath}?view=${view}`;

/** Lists the changes of policies that weaken controls: those that await a decision, and the decided ones. */
export function PolicyChangesPage() {
  const list = usePagedList(listPolicyChanges, { view: ['view'] });
  const kinds = useQuery(endpointQuery(listPolicyKinds, {})).data ?? [];
  const [action, setAction] = useState<PolicyChangeAction>();
  const current = views.find(({ view }) => view === list.query.view) ?? views[0];
  return (
    <>
      <PageHeader
        title="Policy changes"
        back={{ label: 'Policies', href: policiesPath }}
        help={{ href: docsHref('policies', 'approval-of-weakenings'), about: 'the approval of weakenings' }}
        note="A change that makes a control less strict applies only after another person approved it."
      />
      <LinkTabs
        label="Policy changes"
        tabs={views.map(({ view, label }) => ({
          label,
          href: hrefOf(view),
          count: view === current?.view && !list.isFiltered && list.rows ? list.total : undefined,
        }))}
        current={hrefOf(list.query.view)}
      />
      {!list.isEmptyUnfiltered && !list.failure && (
        <Filters>
          <SearchBox
            label="Search by policy"
            value={list.query.search}
            onChange={(search) => list.setQuery({ search })}
            width={320}
          />
        </Filters>
      )}
      <PagedTable
        list={list}
        label={`Policy changes: ${current?.label.toLowerCase()}`}
        noun="changes"
        columns={policyChangeColumns(kinds, list.query.view === 'decided', setAction)}
        rowKey={({ id }) => id}
        tall
        empty={
          <Empty kind="nothing-yet" title={current?.emptyTitle ?? ''}>
            {current?.emptyText}
          </Empty>
        }
        noMatch="No changes match"
      />
      <PolicyChangeDialog action={action} onClose={() => setAction(undefined)} />
    </>
  );
}
