import { countNotifications } from '@sightline/contract/delivery/notifications.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ask } from './api.ts';
import { useNews } from './realtime.ts';
import { invalidateTopics } from './topics.ts';

/** The number of unread notifications, updated while the page is open; undefined until known. */
export function useUnread(): number | undefined {
  const queryClient = useQueryClient();
  const reload = () => void invalidateTopics(queryClient, ['notifications']);
  useNews('newNotification', reload);
  useNews('notificationsChanged', reload);
  return useQuery({ ...ask(countNotifications, {}), meta: { quiet: true } }).data?.count;
}
