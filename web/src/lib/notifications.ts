import { countNotifications, listNotifications } from '@sightline/contract/delivery/notifications.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ask, keyOf } from './api.ts';
import { useNews } from './realtime.ts';

/** How many notifications are unread, kept true while the page is open; undefined until it is known. */
export function useUnread(): number | undefined {
  const queryClient = useQueryClient();
  const askAgain = () => {
    for (const endpoint of [countNotifications, listNotifications]) {
      void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
    }
  };
  useNews('newNotification', askAgain);
  useNews('notificationsChanged', askAgain);
  return useQuery({ ...ask(countNotifications, {}), meta: { quiet: true } }).data?.count;
}
