import { ActionIcon, Tooltip } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Link } from '#ui/Link.tsx';
import s from './Bell.module.css';

/** The link to notifications with the number of unread ones; undefined until known. */
export function Bell({ unread }: { unread: number | undefined }) {
  const words = unread ? `Notifications, ${unread} unread` : 'Notifications';
  return (
    <Tooltip label={words}>
      <ActionIcon className={s.bell ?? ''} size="lg" component={Link} href="/notifications" aria-label={words}>
        <IconBell size={18} stroke={1.6} aria-hidden />
        {unread ? (
          <span className={s.count} aria-hidden>
            {unread > 99 ? '99+' : unread}
          </span>
        ) : null}
      </ActionIcon>
    </Tooltip>
  );
}
