import type { Permission } from '@sightline/contract/core/permissions.ts';
import {
  IconApps,
  IconBell,
  IconBug,
  IconCamera,
  IconFileCheck,
  IconFingerprint,
  IconGavel,
  IconGitBranch,
  IconGitMerge,
  IconHome,
  IconListDetails,
  IconPlugConnected,
  IconScale,
  IconSettings,
  IconTimeline,
  IconUserCheck,
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
  /** The paths, including everything below them, on which this entry is the current one. */
  covers: readonly string[];
  /** The shortcut letter after `g`. */
  letter?: string;
  /** The required permission; default: none. */
  permission?: Permission;
}

/** Spec 2.3: the sidebar's first group. */
export function mainEntries({ vulnerabilities, releaseTwo }: NavigationFlags): NavigationEntry[] {
  return [
    { label: 'Home', href: '/', letter: 'h', Icon: IconHome, covers: ['/'] },
    {
      label: 'Tool Inventory',
      href: '/tools',
      letter: 't',
      Icon: IconApps,
      covers: ['/tools', '/agent-sessions', '/agent-reconciliation', '/agent-configuration'],
      permission: 'read:events',
    },
    ...(vulnerabilities
      ? [
          {
            label: 'Vulnerabilities',
            href: '/vulnerabilities',
            letter: 'v',
            Icon: IconBug,
            covers: ['/vulnerabilities'],
            permission: 'read:vulnerabilities' as const,
          },
        ]
      : []),
    ...(releaseTwo
      ? [
          {
            label: 'Repositories',
            href: '/repositories',
            letter: 'r',
            Icon: IconGitBranch,
            covers: ['/repositories', '/repository'],
            permission: 'read:github-repos' as const,
          },
          {
            label: 'Explore',
            href: '/explore',
            letter: 'e',
            Icon: IconTimeline,
            covers: ['/explore'],
            permission: 'read:events' as const,
          },
        ]
      : []),
  ];
}

/** The audit views. */
export const evidenceEntries: readonly NavigationEntry[] = [
  {
    label: 'Overview',
    href: '/evidence',
    letter: 'o',
    Icon: IconScale,
    covers: ['/evidence', '/evidence/controls', '/evidence/frameworks', '/remediations'],
    permission: 'read:evidence',
  },
  {
    label: 'Changes',
    href: '/changes',
    letter: 'd',
    Icon: IconGitMerge,
    covers: ['/changes'],
    permission: 'read:events',
  },
  {
    label: 'Commit digests',
    href: '/digests',
    letter: 'w',
    Icon: IconFileCheck,
    covers: ['/digests'],
    permission: 'read:commit-digest',
  },
  {
    label: 'Policies',
    href: '/policies',
    letter: 'p',
    Icon: IconGavel,
    covers: ['/policies', '/waivers'],
    permission: 'read:policies',
  },
  {
    label: 'Access reviews',
    href: '/evidence/access-reviews',
    letter: 'c',
    Icon: IconUserCheck,
    covers: ['/evidence/access-reviews', '/evidence/host-access'],
    permission: 'read:evidence',
  },
  {
    label: 'Snapshots',
    href: '/evidence/snapshots',
    letter: 'f',
    Icon: IconCamera,
    covers: ['/evidence/snapshots', '/evidence/auditor-portals', '/evidence/destinations'],
    permission: 'read:evidence',
  },
  {
    label: 'Ledger',
    href: '/ledger',
    letter: 'l',
    Icon: IconFingerprint,
    covers: ['/ledger'],
    permission: 'read:audit-log',
  },
];

/** Spec 2.3: the organization's group. */
export const organizationEntries: readonly NavigationEntry[] = [
  { label: 'Integrations', href: '/integrations', letter: 'i', Icon: IconPlugConnected, covers: ['/integrations'] },
  {
    label: 'Members',
    href: '/organization/members',
    letter: 'm',
    Icon: IconUsers,
    covers: ['/organization/members'],
    permission: 'read:org-members',
  },
  {
    label: 'Settings',
    href: '/organization/settings',
    letter: 's',
    Icon: IconSettings,
    covers: [
      '/organization/settings',
      '/organization/repositories',
      '/organization/access-keys',
      '/organization/erasures',
      '/organization/webhooks',
    ],
    permission: 'read:org',
  },
  {
    label: 'Audit log',
    href: '/audit',
    letter: 'a',
    Icon: IconListDetails,
    covers: ['/audit'],
    permission: 'read:audit-log',
  },
];

/** Behind the bell of the header, not in the sidebar. */
export const notificationsEntry: NavigationEntry = {
  label: 'Notifications',
  href: '/notifications',
  letter: 'n',
  Icon: IconBell,
  covers: ['/notifications'],
};

/** The entry of a path, rendered or not. */
export const entryFor = (path: string): NavigationEntry | undefined =>
  [...mainEntries({ vulnerabilities: true, releaseTwo: true }), ...evidenceEntries, ...organizationEntries].find(
    (entry) => isCurrent(entry, path),
  );

/** Home and the evidence overview are current on their own path only; other entries also on the paths below. */
export const isCurrent = ({ covers }: NavigationEntry, path: string): boolean =>
  covers.some((cover) => path === cover || (!alone.includes(cover) && path.startsWith(`${cover}/`)));
const alone = ['/', '/evidence'];
