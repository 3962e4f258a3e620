import { Button } from '@mantine/core';
import { notificationTypeDefinition, notificationTypeNames } from '@sightline/contract/delivery/notification-types.ts';
import { countNotifications, type Notification } from '@sightline/contract/delivery/notifications.ts';
import { IconChecks, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { useFlag } from '#lib/flags.ts';
import { isContributor, useSession } from '#lib/session.ts';
import { useUrlQuery } from '#lib/url-query.ts';
import { Failure } from '#ui/Failure.tsx';
import { Filters } from '#ui/Filters.tsx';
import { Keys } from '#ui/Keys.tsx';
import { Link } from '#ui/Link.tsx';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import s from './Inbox.module.css';
import { InboxRow } from './InboxRow.tsx';
import { type InboxView, inboxQuery } from './inboxQuery.ts';
import { NoNotifications } from './NoNotifications.tsx';
import { useInbox } from './useInbox.ts';
import { useInboxKeys } from './useInboxKeys.ts';
import { useNotificationActions } from './useNotificationActions.ts';

const hrefOf = (view: InboxView) => (view === 'inbox' ? '/notifications' : `/notifications?view=${view}`);
const types = notificationTypeNames.map((value) => ({ value, label: notificationTypeDefinition(value).label }));

/** Lists the notifications of the current user, newest first. The address holds the query. */
export function InboxPage() {
  const [query, setQuery] = useUrlQuery(inboxQuery);
  const inbox = useInbox(query);
  const marking = useNotificationActions();
  const shows = useFlag('release2');
  // Contributors see only their own events.
  const explores = !isContributor(useSession()) && shows;
  const unread = useQuery({ ...endpointQuery(countNotifications, {}), meta: { quiet: true } }).data?.count;
  const list = useRef<HTMLUListElement>(null);
  const onArchive = (item: Notification) =>
    item.status === 'archived'
      ? marking.mark([item], 'read', 'Moved to the inbox.')
      : marking.mark([item], 'archived', 'Archived.');
  useInboxKeys({ items: inbox.items ?? [], list, marking, onArchive });
  const isFiltered = query.search !== '' || query.types.length > 0;
  const clear = () => setQuery({ search: '', types: [] });
  const { items } = inbox;
  return (
    <>
      <PageHeader
        title="Notifications"
        help={{ href: docsHref('notifications'), about: 'notifications' }}
        note="Activity that concerns you."
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconChecks size={16} aria-hidden />}
              disabled={!unread}
              onClick={() => marking.markAll('read')}
            >
              Mark all as read
            </Button>
            <Button
              variant="default"
              component={Link}
              href="/notification/settings"
              leftSection={<IconSettings size={16} aria-hidden />}
            >
              Settings
            </Button>
          </>
        }
      />
      <LinkTabs
        label="Notifications"
        current={hrefOf(query.view)}
        tabs={[
          { label: 'Inbox', href: hrefOf('inbox') },
          { label: 'Unread', href: hrefOf('unread'), count: unread },
          { label: 'Saved', href: hrefOf('saved') },
          { label: 'Archived', href: hrefOf('archived') },
        ]}
      />
      {(isFiltered || items?.length !== 0) && (
        <Filters end={<span className={s.keys}>{keys}</span>}>
          <SearchBox label="Search notifications" value={query.search} onChange={(search) => setQuery({ search })} />
          <MultiSelect
            name="Type"
            options={types}
            values={query.types}
            onChange={(values) => setQuery({ types: values as typeof query.types })}
            emptyText="No types available"
          />
          {isFiltered && (
            <Button variant="subtle" onClick={clear}>
              Clear
            </Button>
          )}
        </Filters>
      )}
      <Panel flush>
        {inbox.error && !items ? (
          <Failure title="Your notifications could not be loaded" error={inbox.error} onRetry={inbox.retry} />
        ) : items?.length === 0 ? (
          <NoNotifications query={query} isFiltered={isFiltered} onClear={clear} />
        ) : (
          <ul ref={list} className={s.list} aria-label="Notifications" aria-busy={!items || inbox.stale}>
            {items?.map((item) => (
              <InboxRow key={item.id} item={item} marking={marking} explores={explores} onArchive={onArchive} />
            )) ?? <Skeleton />}
          </ul>
        )}
        {inbox.hasMore && (
          <div className={s.more}>
            <Button variant="default" loading={inbox.loadingMore} onClick={inbox.loadMore}>
              Show older
            </Button>
          </div>
        )}
      </Panel>
    </>
  );
}

const keys = (
  <>
    <Keys keys={['j', 'k']} /> walk, <Keys keys={['e']} /> archives, <Keys keys={['u']} /> marks, <Keys keys={['s']} />{' '}
    saves
  </>
);

const Skeleton = () =>
  Array.from({ length: 6 }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows have no other identity
    <li key={row} className={s.row}>
      <span className={s.placeholder} />
    </li>
  ));
