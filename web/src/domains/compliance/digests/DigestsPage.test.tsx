// @vitest-environment happy-dom

import { createWeekDigests, listDigests } from '@sightline/contract/compliance/digests.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { DigestsPage } from './DigestsPage.tsx';
import { pastWeeks } from './digestLabels.ts';

test('lists weeks that have ended, the latest first', () => {
  const [last, before] = pastWeeks(Date.parse('2026-11-29T23:00:00Z'));
  expect(last).toEqual({ from: '2026-11-16T00:00:00.000Z', to: '2026-11-23T00:00:00.000Z' });
  expect(before?.to).toBe(last?.from);
  expect(pastWeeks(Date.parse('2026-11-30T00:00:00Z'))[0]?.to).toBe('2026-11-30T00:00:00.000Z');
});

test('requests the digests of a past week, and shows why the server refuses', async () => {
  signIn('rol_reviewer');
  fakeApi.answer(listDigests, () => ({ rows: [], total: 0 }));
  fakeApi.refuse(createWeekDigests, 409, 'conflict', 'The organization was created after this week.');
  visitPage('/digests', DigestsPage, '/digests');
  await userEvent.click(await screen.findByRole('button', { name: 'Create digests' }));
  const dialog = await screen.findByRole('dialog', { name: 'Create digests of a past week' });
  const submit = within(dialog).getByRole('button', { name: 'Create digests' });
  await userEvent.click(submit);
  expect(await within(dialog).findByText('The organization was created after this week.')).toBeTruthy();
  const requested: unknown[] = [];
  fakeApi.answer(createWeekDigests, ({ body }) => {
    requested.push(body);
    return { week: body.week, repositories: 2 };
  });
  await userEvent.click(submit);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(requested).toEqual([{ week: pastWeeks(Date.now())[0]?.from.slice(0, 10) }]);
});

test('offers no creation without the permission', async () => {
  signIn('rol_auditor');
  fakeApi.answer(listDigests, () => ({ rows: [], total: 0 }));
  visitPage('/digests', DigestsPage, '/digests');
  expect(await screen.findByText('No commit digests yet')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Create digests' })).toBeNull();
});
