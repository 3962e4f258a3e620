import { Button } from '@mantine/core';
import type { AccessReviewItem } from '@sightline/contract/compliance/access-review-items.ts';
import { roleNames } from '@sightline/contract/core/permissions.ts';
import { Link } from '#ui/Link.tsx';
import { Person } from '#ui/Person.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import s from './AccessReviews.module.css';

export type DecideReviewItem = (line: AccessReviewItem, decision: 'kept' | 'changed') => void;

/** Describes the current state of a member if it differs from the reviewed item. */
export function memberChangeText({ now, roleId }: AccessReviewItem): string | undefined {
  if (now === null) return 'Former member';
  if (now.status === 'deactivated') return 'Deactivated';
  return now.roleId === roleId ? undefined : `Now ${roleNames[now.roleId]}`;
}

export const reviewItemColumns = (
  decide: DecideReviewItem | undefined,
  pending: boolean,
): Column<AccessReviewItem>[] => [
  {
    key: 'name',
    header: 'Member',
    sort: 'name',
    place: 'main',
    cell: ({ accountId, name, email, own }) => <Person name={name} id={accountId} detail={email} isYou={own} />,
  },
  {
    key: 'role',
    header: 'Role',
    sort: 'role',
    width: 190,
    place: 'meta',
    cell: (line) => {
      const change = memberChangeText(line);
      return (
        <span className={s.role}>
          {roleNames[line.roleId]}
          {change && <span className="dim">{change}</span>}
        </span>
      );
    },
  },
  {
    key: 'decision',
    header: 'Decision',
    width: 230,
    place: 'metaEnd',
    cell: ({ decision }) =>
      decision === null ? (
        <StatusDot tone="yellow">Pending</StatusDot>
      ) : (
        <span className={s.role}>
          <StatusDot tone="green">{decision.is === 'kept' ? 'Kept' : 'Changed'}</StatusDot>
          <span className="dim truncate">
            <TimeAgo at={decision.at} /> by <PersonName person={decision.by} />
          </span>
        </span>
      ),
  },
  ...(decide
    ? [
        {
          key: 'decide',
          header: 'Decide',
          width: 220,
          place: 'menu' as const,
          cell: (line: AccessReviewItem) => <Buttons line={line} decide={decide} pending={pending} />,
        },
      ]
    : []),
];

interface ButtonsProps {
  line: AccessReviewItem;
  decide: DecideReviewItem;
  pending: boolean;
}

function Buttons({ line, decide, pending }: ButtonsProps) {
  if (line.own) return <span className="dim">Another reviewer decides</span>;
  if (!line.allowed) return null;
  const isChanged = memberChangeText(line) !== undefined;
  if (isChanged) {
    if (line.decision?.is === 'changed') return null;
    return (
      <Button size="xs" variant="default" disabled={pending} onClick={() => decide(line, 'changed')}>
        Confirm change<span className="vh"> of {line.name}</span>
      </Button>
    );
  }
  return (
    <span className={s.buttons}>
      {line.decision?.is !== 'kept' && (
        <Button size="xs" variant="default" disabled={pending} onClick={() => decide(line, 'kept')}>
          Keep<span className="vh"> {line.name}</span>
        </Button>
      )}
      <Button
        size="xs"
        variant="subtle"
        component={Link}
        href={`/organization/members?${new URLSearchParams({ search: line.email })}`}
      >
        Change<span className="vh"> the role of {line.name}</span>
      </Button>
    </span>
  );
}
