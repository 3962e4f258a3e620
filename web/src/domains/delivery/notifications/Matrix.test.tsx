import {
  defaultNotificationChannels,
  type NotificationChannelMatrix,
} from '@sightline/contract/delivery/notification-types.ts';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';
import { NotificationMatrixTable } from './Matrix.tsx';

test('offers a contributor permitted notification types only, also with "all"', async () => {
  let chosen: NotificationChannelMatrix | undefined;
  const matrix = defaultNotificationChannels('rol_contributor');
  renderWithTheme(
    <NotificationMatrixTable
      label="Notification preferences"
      matrix={matrix}
      forRole="rol_contributor"
      disabled={false}
      onChange={(next) => {
        chosen = next;
      }}
    />,
  );
  expect(screen.queryByRole('rowheader', { name: /New tool/ })).toBeNull();
  expect(screen.queryByRole('rowheader', { name: 'Tools' })).toBeNull();
  expect(screen.getByRole('rowheader', { name: /Role changed/ })).toBeTruthy();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Everything by email' }));
  expect(chosen?.['finding.new'].mail).toBe(true);
  expect(chosen?.['tool.new']).toEqual(matrix['tool.new']);
});
