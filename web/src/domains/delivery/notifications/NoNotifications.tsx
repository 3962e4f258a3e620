import { Button } from '@mantine/core';
import { notificationTypeDefinition } from '@sightline/contract/delivery/notification-types.ts';
import { IconBellCheck } from '@tabler/icons-react';
import { Empty } from '#ui/Empty.tsx';
import { Link } from '#ui/Link.tsx';
import type { InboxQuery, InboxView } from './inboxQuery.ts';

const words: Record<InboxView, { title: string; text: string }> = {
  inbox: {
    title: 'No notifications',
    text: 'New vulnerabilities, waivers, failing connections and member changes appear here.',
  },
  unread: { title: 'No unread notifications', text: 'You are up to date.' },
  saved: {
    title: 'No saved notifications',
    text: 'Save a notification to find it here later. Saved notifications are never deleted.',
  },
  archived: { title: 'No archived notifications', text: 'Archived notifications are kept here for 90 days.' },
};

/** Explains why a view is empty and offers an action. */
export function NoNotifications({
  query,
  isFiltered,
  onClear,
}: {
  query: InboxQuery;
  isFiltered: boolean;
  onClear: () => void;
}) {
  if (isFiltered) {
    const filters = [
      ...query.types.map((type) => `Type: ${notificationTypeDefinition(type).label}`),
      ...(query.search === '' ? [] : [`“${query.search}”`]),
    ];
    return (
      <Empty
        kind="no-match"
        title="No notification matches"
        filters={filters}
        action={
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        }
      />
    );
  }
  const { title, text } = words[query.view];
  return (
    <Empty
      kind="nothing-yet"
      title={title}
      icon={<IconBellCheck size={19} stroke={1.6} />}
      action={
        <Button variant="default" component={Link} href="/notification/settings">
          Notification preferences
        </Button>
      }
    >
      {text}
    </Empty>
  );
}
