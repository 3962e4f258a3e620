import { countNotifications, listNotifications } from '@sightline/contract/delivery/notifications.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { endpointQuery, keyOf } from './api.ts';
import { useChangeNotice } from './realtime.ts';

/** The number of unread notifications, updated while the page is open; undefined until known. */
export function useUnread(): number | undefined {
  const queryClient = useQueryClient();
  const refetch = () => {
    for (const endpoint of [countNotifications, listNotifications]) {
      void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
    }
  };
  useChangeNotice('newNotification', refetch);
  useChangeNotice('notificationsChanged', refetch);
  return useQuery({ ...endpointQuery(countNotifications, {}), meta: { quiet: true } }).data?.count;
}
