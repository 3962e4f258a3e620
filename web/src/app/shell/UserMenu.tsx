import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import {
  IconApps,
  IconBell,
  IconBuilding,
  IconFingerprint,
  IconListDetails,
  IconLogout,
  IconSettings,
  IconUser,
} from '@tabler/icons-react';
import { Link } from '#ui/Link.tsx';
import { Face } from '#ui/Person.tsx';
import { ExtensionLines, type ShellExtension } from './Extensions.tsx';
import s from './UserMenu.module.css';

export interface ShellUser {
  /** The ID of the account, to find its picture. */
  id?: string | undefined;
  name: string;
  email?: string | undefined;
  picture?: string | undefined;
}

interface UserMenuProps {
  user: ShellUser;
  extensions: readonly ShellExtension[] | undefined;
  /** The notifications flag. */
  showNotifications: boolean;
  /** The profile, named after the user's code host login. Undefined without one. */
  profileHref: string | undefined;
  /** Undefined without such a screen. */
  accountHref: string | undefined;
  /** The personal data page. Undefined without such a screen. */
  personalDataHref: string | undefined;
  /** The page for installing extensions. */
  getExtensionsHref: string | undefined;
  /** The account is an operator of the installation. */
  isOperator: boolean;
  /** For employees only. */
  onEmployeeSettings: (() => void) | undefined;
  onLogout: () => void;
}

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

/** Spec 2.3: 'Signed in as', the extensions, and links to the user's own settings. */
export function UserMenu({
  user,
  extensions,
  showNotifications,
  profileHref,
  accountHref,
  personalDataHref,
  isOperator,
  onEmployeeSettings,
  onLogout,
}: UserMenuProps) {
  return (
    <Menu position="bottom-end" width={272}>
      <Menu.Target>
        <UnstyledButton className={s.trigger ?? ''}>
          <Face name={user.name} id={user.id} picture={user.picture} size={28} />
          <span className="vh">Account of {user.name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={s.who} role="presentation">
          <p className={s.meta}>Signed in as</p>
          <p className={`truncate ${s.name}`}>{user.name}</p>
          {user.email && <p className={`truncate ${s.meta}`}>{user.email}</p>}
        </div>
        {extensions && (
          <>
            <Menu.Divider />
            <ExtensionLines extensions={extensions} />
          </>
        )}
        <Menu.Divider />
        {profileHref !== undefined && (
          <Menu.Item leftSection={<IconUser {...icon} />} component={Link} href={profileHref}>
            Your profile
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconBuilding {...icon} />} component={Link} href="/organizations">
          Organizations
        </Menu.Item>
        {accountHref !== undefined && (
          <Menu.Item leftSection={<IconSettings {...icon} />} component={Link} href={accountHref}>
            Account Settings
          </Menu.Item>
        )}
        {personalDataHref !== undefined && (
          <Menu.Item leftSection={<IconFingerprint {...icon} />} component={Link} href={personalDataHref}>
            Your data
          </Menu.Item>
        )}
        {showNotifications && (
          <Menu.Item leftSection={<IconBell {...icon} />} component={Link} href="/notification/settings">
            Notifications
          </Menu.Item>
        )}
        {isOperator && (
          <Menu.Item leftSection={<IconListDetails {...icon} />} component={Link} href="/operator">
            Operator
          </Menu.Item>
        )}
        {onEmployeeSettings && (
          <Menu.Item leftSection={<IconApps {...icon} />} onClick={onEmployeeSettings}>
            Employee Settings
          </Menu.Item>
        )}
        <Menu.Divider />
        <ThemeChoice />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout {...icon} />} onClick={onLogout}>
          Logout
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>Theme</Menu.Label>
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(choice) => setColorScheme(choice === 'light' || choice === 'dark' ? choice : 'auto')}
      >
        <Menu.RadioItem value="light">Light</Menu.RadioItem>
        <Menu.RadioItem value="dark">Dark</Menu.RadioItem>
        <Menu.RadioItem value="auto">System</Menu.RadioItem>
      </Menu.RadioGroup>
    </>
  );
}
