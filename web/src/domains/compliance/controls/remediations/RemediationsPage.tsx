import { Menu } from '@mantine/core';
import {
  listRemediations,
  type RemediationListItem,
  type RemediationsQuery,
} from '@sightline/contract/compliance/remediations.ts';
import { formatPeriod } from '@sightline/contract/core/periods.ts';
import { IconArrowRight } from '@tabler/icons-react';
import { useState } from 'react';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { Link } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import type { Column } from '../../../../ui/column.ts';
import { ListByView, type ListView } from '../../../timeline/views/ListByView.tsx';
import { RemediationDialog } from './RemediationDialog.tsx';
import { RemediationMenuItems } from './RemediationMenuItems.tsx';
import type { RemediationAction } from './remediation-action.ts';
import { remediatedItemHref, remediatedItemName, remediationColumns } from './remediationColumns.tsx';

type RemediationsView = ListView<RemediationsQuery['view']>;

const tabs: readonly [RemediationsView, ...RemediationsView[]] = [
  {
    view: 'open',
    label: 'Open',
    emptyTitle: 'No open remediations',
    emptyText: 'Assign a remediation from a failing item of a control.',
  },
  {
    view: 'overdue',
    label: 'Overdue',
    emptyTitle: 'No overdue remediations',
    emptyText: 'Failures that are open after their due date appear here.',
  },
  {
    view: 'mine',
    label: 'Mine',
    emptyTitle: 'You own no open remediations',
    emptyText: 'Failures that are assigned to you appear here.',
  },
  {
    view: 'retested',
    label: 'Retested',
    emptyTitle: 'No passed retests',
    emptyText: 'Failures whose last retest passed appear here.',
  },
];

/** Lists failed items of controls with their owner, due date and retests. The address holds the query. */
export function RemediationsPage() {
  const list = usePagedList(listRemediations, { view: ['view'] });
  const [action, setAction] = useState<RemediationAction>();
  const menu: Column<RemediationListItem> = {
    key: 'menu',
    header: 'Actions',
    width: 56,
    place: 'menu',
    cell: (row) => (
      <RowMenu label={`Actions for the remediation of ${remediatedItemName(row)}`}>
        <Menu.Item
          component={Link}
          href={remediatedItemHref(row)}
          leftSection={<IconArrowRight size={15} aria-hidden />}
        >
          Open the control
        </Menu.Item>
        <RemediationMenuItems
          control={row.control}
          period={formatPeriod(row.failure.period)}
          item={{ subject: row.subject, name: remediatedItemName(row), remediation: row }}
          mayChange={row.allowed.change}
          onAction={setAction}
        />
      </RowMenu>
    ),
  };
  return (
    <>
      <PageHeader
        title="Remediation"
        help={{ href: docsHref('evidence', 'remediation'), about: 'remediation' }}
        note="Failing items of controls with their owner, due date and retests. A retest never replaces a failure."
      />
      <ListByView
        title="Remediation"
        path="/remediations"
        tabs={tabs}
        savedViews="remediations"
        list={list}
        searchLabel="Search by item or control"
        noun="remediations"
        columns={[...remediationColumns, menu]}
        rowKey={({ id }) => id}
        rowHref={remediatedItemHref}
        tall
      />
      <RemediationDialog action={action} onClose={() => setAction(undefined)} />
    </>
  );
}
