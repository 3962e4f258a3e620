import type { NotificationType } from '@sightline/contract/delivery/notification-types.ts';
import { notificationTypeDefinition } from '@sightline/contract/delivery/notification-types.ts';
import {
  IconApps,
  IconBug,
  IconClockPause,
  IconGavel,
  IconGitBranch,
  IconPlugConnected,
  IconPuzzle,
  IconScale,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react';

const icons: Record<ReturnType<typeof notificationTypeDefinition>['group'], TablerIcon> = {
  Vulnerabilities: IconBug,
  Waivers: IconClockPause,
  Policies: IconGavel,
  Evidence: IconScale,
  Repositories: IconGitBranch,
  Tools: IconApps,
  Integrations: IconPlugConnected,
  Members: IconUsers,
  Extensions: IconPuzzle,
};

/** The icon of a notification type. Text beside it has the same meaning. */
export function NotificationTypeIcon({ type }: { type: NotificationType }) {
  const Icon = icons[notificationTypeDefinition(type).group];
  return <Icon size={17} stroke={1.6} aria-hidden />;
}
