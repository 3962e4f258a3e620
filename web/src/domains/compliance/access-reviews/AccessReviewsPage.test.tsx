// @vitest-environment happy-dom

import { listAccessReviews, openAccessReview } from '@sightline/contract/compliance/access-reviews.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { AccessReviewsPage } from './AccessReviewsPage.tsx';

const path = '/evidence/access-reviews';

test('starts the review of the quarter after a confirmation, and opens it', async () => {
  signIn('rol_owner');
  fakeApi.answer(listAccessReviews, () => ({ rows: [], total: 0 }));
  fakeApi.answer(openAccessReview, () => ({
    id: 'review-1',
    quarter: '2026-10-01',
    openedAt: '2026-11-29T00:00:00.000Z',
    openedBy: { id: 'account', name: 'Ada Byron' },
    dueAt: '2027-01-01T00:00:00.000Z',
    state: 'open' as const,
    lines: 3,
    decided: 0,
    signed: null,
  }));
  const page = visitPage(path, AccessReviewsPage, path);
  await userEvent.click(await screen.findByRole('button', { name: 'Start review' }));
  const dialog = await screen.findByRole('dialog', { name: 'Start the access review of this quarter now?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Start review' }));
  await waitFor(() => expect(page.address()).toBe(`${path}/review-1`));
});

test('offers no start to auditors', async () => {
  signIn('rol_auditor');
  fakeApi.answer(listAccessReviews, () => ({ rows: [], total: 0 }));
  visitPage(path, AccessReviewsPage, path);
  expect(await screen.findByText('No access reviews')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Start review' })).toBeNull();
});
