import { Menu } from '@mantine/core';
import { leaveRefusalReason, type Organization } from '@sightline/contract/organization/organizations.ts';
import { IconDoorExit, IconSettings } from '@tabler/icons-react';
import { useSession } from '#lib/session.ts';
import { RowMenu } from '#ui/RowMenu.tsx';
import s from './Cards.module.css';

interface OrganizationMenuProps {
  organization: Organization;
  onSettings: () => void;
  onLeave: () => void;
}

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

/** spec 2.8: settings, and leaving the organization. The menu shows why leaving is unavailable. */
export function OrganizationMenu({ organization, onSettings, onLeave }: OrganizationMenuProps) {
  const session = useSession();
  const problem = leaveRefusalReason(organization, {
    accountId: session?.accountId ?? '',
    organizationId: session?.organization,
  });
  return (
    <RowMenu label={`Actions for ${organization.displayName}`}>
      <Menu.Item leftSection={<IconSettings {...icon} />} onClick={onSettings}>
        Organization Settings
      </Menu.Item>
      <Menu.Item
        leftSection={<IconDoorExit {...icon} />}
        aria-disabled={problem !== undefined}
        className={problem === undefined ? '' : (s.closed ?? '')}
        closeMenuOnClick={problem === undefined}
        onClick={() => problem === undefined && onLeave()}
      >
        Leave Organization
        {problem !== undefined && <span className={s.why}>{problem}</span>}
      </Menu.Item>
    </RowMenu>
  );
}
