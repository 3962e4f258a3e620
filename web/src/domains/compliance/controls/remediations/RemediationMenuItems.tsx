import { Menu } from '@mantine/core';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { IconTestPipe, IconUserCheck } from '@tabler/icons-react';
import type { RemediatedItem, RemediationAction } from './remediation-action.ts';

export interface RemediationMenuItemsProps {
  control: ControlId;
  period: string;
  item: RemediatedItem;
  /** Whether the member may change remediations. */
  mayChange: boolean;
  onAction: (action: RemediationAction) => void;
}

/** The actions on a failed item. */
export function RemediationMenuItems({ control, period, item, mayChange, onAction }: RemediationMenuItemsProps) {
  const { remediation, name } = item;
  return (
    <>
      {mayChange && (
        <Menu.Item
          leftSection={<IconUserCheck size={15} aria-hidden />}
          onClick={() => onAction({ kind: 'change', control, period, items: [item] })}
        >
          {remediation ? 'Change remediation' : 'Assign remediation'}
        </Menu.Item>
      )}
      {remediation?.allowed.retest && (
        <Menu.Item
          leftSection={<IconTestPipe size={15} aria-hidden />}
          onClick={() => onAction({ kind: 'retest', remediationId: remediation.id, name })}
        >
          Record retest
        </Menu.Item>
      )}
    </>
  );
}
