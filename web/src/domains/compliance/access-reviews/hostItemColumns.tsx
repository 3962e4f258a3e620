import { Button } from '@mantine/core';
import type { AccessReviewHostItem } from '@sightline/contract/compliance/access-review-items.ts';
import { hostPermissionNames } from '@sightline/contract/sources/host-access.ts';
import { AccessHolder } from '#ui/AccessHolder.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import s from './AccessReviews.module.css';

export type DecideHostItem = (item: AccessReviewHostItem, decision: 'kept' | 'changed') => void;

/** How much of the access is still in force, if not all of it. */
function stateText({ inForce, repositories }: AccessReviewHostItem): string | undefined {
  if (inForce === 0) return 'No longer in force';
  return inForce < repositories.length ? `Still in force on ${inForce}` : undefined;
}

const repositoriesText = ({ repositories }: AccessReviewHostItem): string =>
  repositories.length === 1 ? (repositories[0]?.name ?? '') : `${repositories.length} repositories`;

export const hostItemColumns = (
  decide: DecideHostItem | undefined,
  pending: boolean,
): Column<AccessReviewHostItem>[] => [
  {
    key: 'name',
    header: 'Account, deploy key or app',
    sort: 'name',
    place: 'main',
    cell: ({ holder }) => <AccessHolder holder={holder} />,
  },
  {
    key: 'permission',
    header: 'Permission',
    sort: 'permission',
    firstDirection: 'desc',
    width: 260,
    place: 'meta',
    cell: (item) => {
      const state = stateText(item);
      return (
        <span className={s.role}>
          {hostPermissionNames[item.permission]}
          <span className="dim truncate" title={item.repositories.map(({ name }) => name).join(', ')}>
            {repositoriesText(item)}
          </span>
          {state && <span className="dim">{state}</span>}
        </span>
      );
    },
  },
  {
    key: 'decision',
    header: 'Decision',
    width: 230,
    place: 'metaEnd',
    cell: (item) => <Decision item={item} />,
  },
  ...(decide
    ? [
        {
          key: 'decide',
          header: 'Decide',
          width: 220,
          place: 'menu' as const,
          cell: (item: AccessReviewHostItem) => <Buttons item={item} decide={decide} pending={pending} />,
        },
      ]
    : []),
];

function Decision({ item: { decision, inForce } }: { item: AccessReviewHostItem }) {
  if (decision === null) return <StatusDot tone="yellow">Pending</StatusDot>;
  const isOpen = decision.is === 'changed' && inForce > 0;
  return (
    <span className={s.role}>
      <StatusDot tone={isOpen ? 'yellow' : 'green'}>
        {decision.is === 'kept' ? 'Kept' : isOpen ? 'To be removed on the code host' : 'Removed'}
      </StatusDot>
      <span className="dim truncate">
        <TimeAgo at={decision.at} /> by <PersonName person={decision.by} />
      </span>
    </span>
  );
}

interface ButtonsProps {
  item: AccessReviewHostItem;
  decide: DecideHostItem;
  pending: boolean;
}

function Buttons({ item, decide, pending }: ButtonsProps) {
  if (item.own) return <span className="dim">Another reviewer decides</span>;
  if (!item.allowed) return null;
  const about = <span className="vh"> {item.holder.name}</span>;
  return (
    <span className={s.buttons}>
      {item.decision?.is !== 'kept' && item.inForce > 0 && (
        <Button size="xs" variant="default" disabled={pending} onClick={() => decide(item, 'kept')}>
          Keep{about}
        </Button>
      )}
      {item.decision?.is !== 'changed' && (
        <Button size="xs" variant="default" disabled={pending} onClick={() => decide(item, 'changed')}>
          {item.inForce > 0 ? 'Remove' : 'Confirm removal'}
          {about}
        </Button>
      )}
    </span>
  );
}
