import type { MantineColorScheme } from '@mantine/core';
import type { Permission } from '@sightline/contract/core/permissions.ts';
import {
  IconAlertTriangle,
  IconBell,
  IconBroadcast,
  IconBuilding,
  IconGavel,
  IconGitBranch,
  IconKey,
  IconUser,
  IconUserCog,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';
import type { NavigationEntry } from '../shell/navigation.ts';

export interface PaletteCommand {
  id: string;
  label: string;
  /** Alternative search terms. */
  synonyms?: string;
  Icon: TablerIcon;
  /** The equivalent shortcut. */
  keys?: readonly string[];
  /** A path to navigate to, or an action. */
  run: string | (() => void);
}

export interface PaletteContext {
  /** The sidebar entries of this role. */
  entries: readonly NavigationEntry[];
  /** Whether a path has a screen. */
  has: (path: string) => boolean;
  may: (permission: Permission) => boolean;
  flags: { vulnerabilities: boolean; releaseTwo: boolean; notifications: boolean };
  organizations: readonly { id: string; name: string }[];
  activeId: string;
  profileHref: string | undefined;
  documentationHref: string;
  onOrganization: (id: string) => void;
  onTheme: (scheme: MantineColorScheme) => void;
  onShortcuts: () => void;
  onCopyLink: () => void;
  onLogout: () => void;
}

interface PaletteScreen extends Omit<PaletteCommand, 'id' | 'run'> {
  href: string;
  needs?: Permission;
  /** False if its flag is off. */
  on?: boolean;
}

/** All screens available to the user, those of the sidebar first. */
export function screensOf({ entries, has, may, flags, profileHref }: PaletteContext): PaletteCommand[] {
  const screens: PaletteScreen[] = [
    ...entries.map(({ label, href, Icon, letter }) => ({
      label,
      href,
      Icon,
      ...(letter !== undefined && { keys: ['g', letter] }),
    })),
    {
      label: 'Enabled repositories',
      href: '/organization/repositories',
      Icon: IconGitBranch,
      needs: 'read:github-repos',
      on: flags.releaseTwo,
    },
    {
      label: 'Access keys',
      href: '/organization/access-keys',
      Icon: IconKey,
      needs: 'manage:integrations',
      on: flags.vulnerabilities,
      synonyms: 'token sarif build ci',
    },
    {
      label: 'Webhooks',
      href: '/organization/webhooks',
      Icon: IconWebhook,
      needs: 'manage:integrations',
      synonyms: 'outgoing deliveries',
    },
    {
      label: 'Audit log streaming',
      href: '/audit/streams',
      Icon: IconBroadcast,
      needs: 'manage:integrations',
      synonyms: 'siem syslog s3 ocsf export',
    },
    {
      label: 'Policy changes',
      href: '/policies/changes',
      Icon: IconGavel,
      needs: 'read:policies',
      synonyms: 'weakening second approver four eyes',
    },
    {
      label: 'Remediation',
      href: '/remediations',
      Icon: IconAlertTriangle,
      needs: 'read:policies-status',
      synonyms: 'retest overdue',
    },
    {
      label: 'Waivers',
      href: '/waivers',
      Icon: IconAlertTriangle,
      needs: 'read:policies-status',
      synonyms: 'accepted risk',
    },
    {
      label: 'Notification settings',
      href: '/notification/settings',
      Icon: IconBell,
      on: flags.notifications,
      synonyms: 'mail digest quiet hours',
    },
    {
      label: 'Account settings',
      href: '/account',
      Icon: IconUserCog,
      synonyms: 'password passkey second factor sessions downloads extensions',
    },
    { label: 'Organizations', href: '/organizations', Icon: IconBuilding, synonyms: 'leave create switch' },
  ];
  const own: PaletteScreen[] =
    profileHref === undefined ? [] : [{ label: 'Your profile', href: profileHref, Icon: IconUser }];
  return [...screens.filter(({ href }) => has(href)), ...own]
    .filter(({ needs, on = true }) => on && (needs === undefined || may(needs)))
    .map(({ href, needs: _, on: _on, ...command }) => ({ ...command, id: `go ${href}`, run: href }));
}
