import { listPolicyKinds } from '@sightline/contract/compliance/policies.ts';
import { listPolicyChanges, type PolicyChangesQuery } from '@sightline/contract/compliance/policy-changes.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { PageHeader } from '#ui/PageHeader.tsx';
import { ListByView, type ListView } from '../../timeline/views/ListByView.tsx';
import { type PolicyChangeAction, PolicyChangeDialog } from './PolicyChangeDialog.tsx';
import { policyChangeColumns } from './policyChangeColumns.tsx';
import { policyChangesPath } from './policyChangeTexts.ts';
import { policiesPath } from './policyLabels.ts';

type PolicyChangesView = ListView<PolicyChangesQuery['view']>;

const tabs: readonly [PolicyChangesView, ...PolicyChangesView[]] = [
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

/** Lists the changes of policies that weaken controls: those that await a decision, and the decided ones. */
export function PolicyChangesPage() {
  const list = usePagedList(listPolicyChanges, { view: ['view'] });
  const kinds = useQuery(endpointQuery(listPolicyKinds, {})).data ?? [];
  const [action, setAction] = useState<PolicyChangeAction>();
  return (
    <>
      <PageHeader
        title="Policy changes"
        back={{ label: 'Policies', href: policiesPath }}
        help={{ href: docsHref('policies', 'approval-of-weakenings'), about: 'the approval of weakenings' }}
        note="A change that makes a control less strict applies only after another person approved it."
      />
      <ListByView
        title="Policy changes"
        path={policyChangesPath}
        tabs={tabs}
        savedViews="policy-changes"
        list={list}
        searchLabel="Search by policy"
        noun="changes"
        columns={policyChangeColumns(kinds, list.query.view === 'decided', setAction)}
        rowKey={({ id }) => id}
        tall
      />
      <PolicyChangeDialog action={action} onClose={() => setAction(undefined)} />
    </>
  );
}
