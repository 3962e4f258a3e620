import { Button } from '@mantine/core';
import { factsOfType } from '@sightline/contract/delivery/notification-types.ts';
import { IconBellCheck } from '@tabler/icons-react';
import { Empty } from '#ui/Empty.tsx';
import { Link } from '#ui/Link.tsx';
import type { InboxQuery, InboxView } from './inboxQuery.ts';

const words: Record<InboxView, { title: string; text: string }> = {
  inbox: {
    title: 'No notifications',
    text: 'New vulnerabilities, exceptions, connections that fail and changes among members are told here.',
  },
  unread: { title: 'Nothing unread', text: 'You have seen everything there is.' },
  saved: {
    title: 'Nothing saved',
    text: 'Save a notification to find it here later. Saved ones are never cleared away.',
  },
  archived: { title: 'Nothing archived', text: 'What you archive leaves the inbox and is kept here for 90 days.' },
};

/** Why a view is empty, and what to do about it. */
export function NoNotifications({
  query,
  narrowed,
  onClear,
}: {
  query: InboxQuery;
  narrowed: boolean;
  onClear: () => void;
}) {
  if (narrowed) {
    const filters = [
      ...query.types.map((type) => `Type: ${factsOfType(type).label}`),
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
          Choose what you are told
        </Button>
      }
    >
      {text}
    </Empty>
  );
}
