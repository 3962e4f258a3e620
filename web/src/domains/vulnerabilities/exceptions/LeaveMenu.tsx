import { Menu } from '@mantine/core';
import type { WaiverListItem } from '@sightline/contract/vulnerabilities/exceptions.ts';
import {
  IconArrowBackUp,
  IconArrowRight,
  IconCheck,
  IconPlayerStop,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react';
import { Link } from '#ui/Link.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import type { DecisionRequest } from './DecideDialog.tsx';
import { nameOf, placeOf } from './leaveColumns.tsx';

interface LeaveMenuProps {
  leave: WaiverListItem;
  onAsk: (asked: DecisionRequest) => void;
}

/** What may be done with an exception of the list. */
export function LeaveMenu({ leave, onAsk }: LeaveMenuProps) {
  const { finding, allowed } = leave;
  const entries: [boolean, DecisionRequest['action'], string, TablerIcon][] = [
    [allowed.decide, 'approve', 'Approve', IconCheck],
    [allowed.decide, 'refuse', 'Deny', IconX],
    [allowed.withdraw, 'end', 'Withdraw request', IconArrowBackUp],
    [allowed.end, 'end', 'Revoke', IconPlayerStop],
  ];
  return (
    <RowMenu label={`Actions for the waiver of ${nameOf(leave)}`}>
      <Menu.Item component={Link} href={placeOf(leave)} leftSection={<IconArrowRight size={15} aria-hidden />}>
        {finding ? 'Open the vulnerability' : 'Open the control'}
      </Menu.Item>
      {entries.map(
        ([may, action, label, Icon]) =>
          may && (
            <Menu.Item
              key={label}
              leftSection={<Icon size={15} aria-hidden />}
              onClick={() => onAsk({ action, leave })}
            >
              {label}
            </Menu.Item>
          ),
      )}
    </RowMenu>
  );
}
