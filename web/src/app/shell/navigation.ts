import type { Permission } from '@sightline/contract/permissions.ts';
import {
  IconApps,
  IconBug,
  IconGitBranch,
  IconHome,
  IconListDetails,
  IconPlugConnected,
  IconSettings,
  IconTimeline,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react';

export interface NavigationFlags {
  vulnerabilities: boolean;
  /** The release-2 flag: Repositories and Explore. */
  releaseTwo: boolean;
}

export interface NavigationEntry {
  label: string;
  href: string;
  Icon: TablerIcon;
  /** The paths, and everything below them, on which this entry is the current one. */
  covers: readonly string[];
}

/** spec 2.3: the sidebar's first group. */
export function mainEntries({ vulnerabilities, releaseTwo }: NavigationFlags): NavigationEntry[] {
  return [
    { label: 'Home', href: '/', Icon: IconHome, covers: ['/'] },
    { label: 'Tool Inventory', href: '/tools', Icon: IconApps, covers: ['/tools'] },
    ...(vulnerabilities
      ? [{ label: 'Vulnerabilities', href: '/vulnerabilities', Icon: IconBug, covers: ['/vulnerabilities'] }]
      : []),
    ...(releaseTwo
      ? [
          {
            label: 'Repositories',
            href: '/repositories',
            Icon: IconGitBranch,
            covers: ['/repositories', '/repository'],
          },
          { label: 'Explore', href: '/explore', Icon: IconTimeline, covers: ['/explore'] },
        ]
      : []),
  ];
}

/** spec 2.3: the organization's group. */
export const organizationEntries: readonly NavigationEntry[] = [
  { label: 'Integrations', href: '/integrations', Icon: IconPlugConnected, covers: ['/integrations'] },
  { label: 'Members', href: '/organization/members', Icon: IconUsers, covers: ['/organization/members'] },
  {
    label: 'Settings',
    href: '/organization/settings',
    Icon: IconSettings,
    covers: ['/organization/settings', '/organization/repositories'],
  },
  { label: 'Audit log', href: '/audit', Icon: IconListDetails, covers: ['/audit'] },
];

/** What a role must hold for an entry to be drawn; the page itself tells whoever comes by another way. */
export const permissionOf: Partial<Record<string, Permission>> = { '/audit': 'read:audit-log' };

/** Home is current on its own path only; every other entry on the paths below it too. */
export const isCurrent = ({ covers }: NavigationEntry, path: string): boolean =>
  covers.some((cover) => path === cover || (cover !== '/' && path.startsWith(`${cover}/`)));
