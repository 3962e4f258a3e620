import { useUnread } from '#lib/notifications.ts';
import { Bell } from './shell/Bell.tsx';

/** The bell with its count. On its own, so that it is fetched, asks and listens only where there are notifications. */
export const NotificationBell = () => <Bell unread={useUnread()} />;
