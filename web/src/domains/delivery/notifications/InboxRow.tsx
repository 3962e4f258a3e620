import { ActionIcon, Tooltip } from '@mantine/core';
import { notificationTypeDefinition } from '@sightline/contract/delivery/notification-types.ts';
import type { Notification } from '@sightline/contract/delivery/notifications.ts';
import {
  IconArchive,
  IconArchiveOff,
  IconBookmark,
  IconBookmarkFilled,
  IconMail,
  IconMailOpened,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from '#ui/Link.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { Severity } from '#ui/Severity.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Inbox.module.css';
import { NotificationTypeIcon } from './typeIcons.tsx';
import type { NotificationActions } from './useNotificationActions.ts';

interface InboxRowProps {
  item: Notification;
  marking: NotificationActions;
  /** Whether the user may open the events of the notification in Explore. */
  explores: boolean;
  onArchive: (item: Notification) => void;
}

/** Shows one notification. The title links to its subject and marks the notification as read. */
export function InboxRow({ item, marking, explores, onArchive }: InboxRowProps) {
  const { title, body, link, type, count, reason, severity, status, saved, updatedAt, actor, eventIds } = item;
  const newest = explores ? eventIds.at(-1) : undefined;
  const unread = status === 'unread';
  const { weighed } = notificationTypeDefinition(type);
  return (
    <li className={s.row} data-unread={unread || undefined}>
      <span className={s.dot} data-on={unread || undefined} aria-hidden />
      <span className={s.icon}>
        <NotificationTypeIcon type={type} />
      </span>
      <div className={s.what}>
        <p className={s.title}>
          {unread && <span className="vh">Unread: </span>}
          <Link className={s.link} href={link} data-row onClick={() => unread && marking.mark([item], 'read')}>
            {title}
          </Link>
        </p>
        {body !== '' && <p className={s.body}>{body}</p>}
        <p className={s.meta}>
          {weighed && <Severity level={severity} />}
          <TimeAgo at={updatedAt} />
          {count > 1 && !weighed && type !== 'tool.new' && <span>{count} times</span>}
          {actor && <PersonName person={actor} />}
          <span>{reasons[reason]}</span>
          {newest !== undefined && (
            <Link href={`/explore?event=${newest}`} aria-label={`Show in Explore: ${title}`}>
              Show in Explore
            </Link>
          )}
        </p>
      </div>
      <div className={s.actions}>
        <Act
          label={unread ? 'Mark as read' : 'Mark as unread'}
          title={title}
          onClick={() => marking.mark([item], unread ? 'read' : 'unread')}
        >
          {unread ? <IconMailOpened size={16} aria-hidden /> : <IconMail size={16} aria-hidden />}
        </Act>
        <Act label={saved ? 'Unsave' : 'Save for later'} title={title} onClick={() => marking.save(item, !saved)}>
          {saved ? <IconBookmarkFilled size={16} aria-hidden /> : <IconBookmark size={16} aria-hidden />}
        </Act>
        <Act label={status === 'archived' ? 'Move to inbox' : 'Archive'} title={title} onClick={() => onArchive(item)}>
          {status === 'archived' ? <IconArchiveOff size={16} aria-hidden /> : <IconArchive size={16} aria-hidden />}
        </Act>
      </div>
    </li>
  );
}

const Act = ({
  label,
  title,
  onClick,
  children,
}: {
  label: string;
  title: string;
  onClick: () => void;
  children: ReactNode;
}) => (
  <Tooltip label={label}>
    <ActionIcon aria-label={`${label}: ${title}`} onClick={onClick}>
      {children}
    </ActionIcon>
  </Tooltip>
);

/** Why the user receives the notification. */
const reasons: Record<Notification['reason'], string> = {
  owner: 'You are an owner',
  author: 'You requested it',
  subscribed: 'You follow this',
  mention: 'You are mentioned',
  assigned: 'It concerns you',
  rule: 'By a rule',
};
