import { type Duty, duties, type HostAccessItem } from '@sightline/contract/compliance/host-access.ts';
import { AccessHolder } from '#ui/AccessHolder.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import type { Column } from '../../../ui/column.ts';
import { AccessList } from './AccessList.tsx';
import { dutyNames } from './accessLabels.ts';
import s from './HostAccess.module.css';

/** Shows who can write, approve, bypass the branch protection, administer and waive findings, for each repository. */
export const DutiesPage = () => (
  <AccessList
    tab="duties"
    note="What each account, team, deploy key and app can do in a repository. Filter by duties to see who combines them."
    columns={columns}
  />
);

const cells = {
  yes: <StatusDot tone="blue">Yes</StatusDot>,
  no: <span className="dim">No</span>,
  unknown: <StatusDot tone="yellow">Unknown</StatusDot>,
} as const;

const dutyColumn = (duty: Duty): Column<HostAccessItem> => ({
  key: duty,
  header: dutyNames[duty],
  width: duty === 'bypass' || duty === 'waive' ? 145 : 105,
  cell: (item) => cells[item.duties[duty]],
});

/** All duties in one sentence, for narrow screens. */
function summaryOf(held: HostAccessItem['duties']): string {
  const named = (state: 'yes' | 'unknown') =>
    duties.flatMap((duty) => (held[duty] === state ? dutyNames[duty].toLowerCase() : [])).join(', ');
  const [can, unknown] = [named('yes'), named('unknown')];
  return [can && `Can ${can}`, unknown && `Unknown: ${unknown}`].filter(Boolean).join('. ') || 'Can read';
}

const columns: Column<HostAccessItem>[] = [
  {
    key: 'name',
    header: 'Account, team, deploy key or app',
    sort: 'name',
    place: 'main',
    cell: ({ holder }) => <AccessHolder holder={holder} />,
  },
  {
    key: 'repository',
    header: 'Repository',
    sort: 'repository',
    width: 200,
    place: 'meta',
    cell: ({ repository, duties: held }) => (
      <span className={s.cell}>
        <span className="truncate">{repository.fullName}</span>
        <span className={s.summary}>{summaryOf(held)}</span>
      </span>
    ),
  },
  ...duties.map(dutyColumn),
];
