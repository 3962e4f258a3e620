import { countNotifications } from '@sightline/contract/delivery/notifications.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { endpointQuery } from './api.ts';
import { useChangeNotice } from './realtime.ts';
import { invalidateTopics } from './topics.ts';

/** The number of unread notifications, updated while the page is open; undefined until known. */
export function useUnread(): number | undefined {
  const queryClient = useQueryClient();
  const reload = () => void invalidateTopics(queryClient, ['notifications']);
  useChangeNotice('newNotification', reload);
  useChangeNotice('notificationsChanged', reload);
  return useQuery({ ...endpointQuery(countNotifications, {}), meta: { quiet: true } }).data?.count;
}
