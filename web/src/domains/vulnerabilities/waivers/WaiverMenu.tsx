import { Menu } from '@mantine/core';
import type { WaiverListItem } from '@sightline/contract/vulnerabilities/waivers.ts';
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
import { type WaiverAction, waivedItemName } from './waiver-action.ts';
import { waivedItemHref } from './waiverColumns.tsx';

interface WaiverMenuProps {
  waiver: WaiverListItem;
  onAction: (action: WaiverAction) => void;
}

/** The actions on a waiver of the list. */
export function WaiverMenu({ waiver, onAction }: WaiverMenuProps) {
  const { finding, allowed } = waiver;
  const entries: [boolean, Exclude<WaiverAction['kind'], 'request'>, string, TablerIcon][] = [
    [allowed.decide, 'approve', 'Approve', IconCheck],
    [allowed.decide, 'deny', 'Deny', IconX],
    [allowed.withdraw, 'end', 'Withdraw request', IconArrowBackUp],
    [allowed.revoke, 'end', 'Revoke', IconPlayerStop],
  ];
  return (
    <RowMenu label={`Actions for the waiver of ${waivedItemName(waiver)}`}>
      <Menu.Item component={Link} href={waivedItemHref(waiver)} leftSection={<IconArrowRight size={15} aria-hidden />}>
        {finding ? 'Open the vulnerability' : 'Open the control'}
      </Menu.Item>
      {entries.map(
        ([may, kind, label, Icon]) =>
          may && (
            <Menu.Item
              key={label}
              leftSection={<Icon size={15} aria-hidden />}
              onClick={() => onAction({ kind, waiver })}
            >
              {label}
            </Menu.Item>
          ),
      )}
    </RowMenu>
  );
}
