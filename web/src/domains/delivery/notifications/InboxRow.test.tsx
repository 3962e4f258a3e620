import type { Notification } from '@sightline/contract/delivery/notifications.ts';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';
import { InboxRow } from './InboxRow.tsx';

const item: Notification = {
  id: 'n1',
  orgId: 'org_1',
  type: 'member.joined',
  severity: 'info',
  title: 'Ada joined',
  body: '',
  link: '/organization/settings/members',
  icon: null,
  scopeKey: 'member.joined p1',
  count: 1,
  reason: 'owner',
  status: 'read',
  saved: false,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  readAt: null,
  actor: null,
  subject: { kind: 'member', ident: 'p1' },
  eventIds: ['older', 'newest'],
};
const marking = { mark: () => undefined, save: () => undefined, markAll: () => undefined };
const row = (of: Partial<Notification>, explores: boolean) => (
  <InboxRow item={{ ...item, ...of }} marking={marking} explores={explores} onArchive={() => undefined} />
);

test('links a notification to its newest event for users who may open Explore', async () => {
  const { visited, redraw } = renderWithTheme(row({}, true));
  await userEvent.click(screen.getByRole('link', { name: 'Show in Explore: Ada joined' }));
  expect(visited).toEqual(['/explore?event=newest']);
  redraw(row({ eventIds: [] }, true));
  expect(screen.queryByRole('link', { name: /Explore/ })).toBeNull();
  redraw(row({}, false));
  expect(screen.queryByRole('link', { name: /Explore/ })).toBeNull();
});
