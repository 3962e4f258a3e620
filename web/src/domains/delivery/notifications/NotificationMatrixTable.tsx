import { Checkbox } from '@mantine/core';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import type { ChatServiceName } from '@sightline/contract/delivery/chat.ts';
import {
  canReceiveNotification,
  type NotificationChannel,
  type NotificationChannelMatrix,
  type NotificationType,
  notificationTypeDefinition,
  notificationTypeNames,
} from '@sightline/contract/delivery/notification-types.ts';
import { Fragment, type ReactNode } from 'react';
import s from './Settings.module.css';

interface MatrixProps {
  /** The accessible name of the table. */
  label: string;
  matrix: NotificationChannelMatrix;
  /** Limits the types to those that a role can receive; undefined offers all. */
  forRole: RoleId | undefined;
  onChange: (matrix: NotificationChannelMatrix) => void;
  disabled: boolean;
  /** The chat services with a column. */
  chats?: readonly ChatServiceName[];
  /** A last, read-only column. */
  extra?: { header: string; cell: (type: NotificationType) => ReactNode } | undefined;
}

const columns: readonly { channel: NotificationChannel; header: string; by: string }[] = [
  { channel: 'inApp', header: 'Inbox', by: 'in the inbox' },
  { channel: 'mail', header: 'Email', by: 'by email' },
  { channel: 'slack', header: 'Slack', by: 'in Slack' },
  { channel: 'teams', header: 'Teams', by: 'in Microsoft Teams' },
];

/** Notification types by channel. The checkbox in a column header sets the whole column. */
export function NotificationMatrixTable(props: MatrixProps) {
  const { label, matrix, forRole, onChange, disabled, chats = [], extra } = props;
  const channels = columns.filter(
    ({ channel }) => channel === 'inApp' || channel === 'mail' || chats.includes(channel),
  );
  const offered = notificationTypeNames.filter(
    (type) => forRole === undefined || canReceiveNotification(forRole, type),
  );
  const groups = Map.groupBy(offered, (type) => notificationTypeDefinition(type).group);
  const set = (types: readonly NotificationType[], channel: NotificationChannel, on: boolean) =>
    onChange({
      ...matrix,
      ...(Object.fromEntries(
        types.map((type) => [type, { ...matrix[type], [channel]: on }]),
      ) as NotificationChannelMatrix),
    });
  const width = channels.length + 1 + (extra ? 1 : 0);
  return (
    <table className={s.matrix} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Activity</th>
          {channels.map(({ channel, header, by }) => {
            const on = offered.filter((type) => matrix[type][channel]).length;
            return (
              <th key={channel} scope="col" className={s.cell}>
                <span className={s.column}>
                  {header}
                  <Checkbox
                    size="xs"
                    aria-label={`Everything ${by}`}
                    disabled={disabled}
                    checked={on === offered.length}
                    indeterminate={on > 0 && on < offered.length}
                    onChange={({ currentTarget }) => set(offered, channel, currentTarget.checked)}
                  />
                </span>
              </th>
            );
          })}
          {extra && (
            <th scope="col" className={s.cell}>
              {extra.header}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {[...groups].map(([group, types]) => (
          <Fragment key={group}>
            <tr className={s.group}>
              <th scope="rowgroup" colSpan={width}>
                {group}
              </th>
            </tr>
            {types.map((type) => {
              const { label: name, description } = notificationTypeDefinition(type);
              return (
                <tr key={type}>
                  <th scope="row" className={s.type}>
                    {name}
                    <span className={s.description}>{description}</span>
                  </th>
                  {channels.map(({ channel, by }) => (
                    <td key={channel} className={s.cell}>
                      <Checkbox
                        aria-label={`${name} ${by}`}
                        disabled={disabled}
                        checked={matrix[type][channel]}
                        onChange={({ currentTarget }) => set([type], channel, currentTarget.checked)}
                      />
                    </td>
                  ))}
                  {extra && <td className={s.cell}>{extra.cell(type)}</td>}
                </tr>
              );
            })}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}
