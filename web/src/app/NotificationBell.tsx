import { useUnread } from '#lib/notifications.ts';
import { Bell } from './shell/Bell.tsx';

/**
 * The bell with its count. A separate module, so that it is loaded and requests data only if notifications are enabled.
 */
export const NotificationBell = () => <Bell unread={useUnread()} />;
