// @vitest-environment happy-dom
import { resendVerification } from '@sightline/contract/identity/accounts.ts';
import { fireEvent, screen, within } from '@testing-library/react';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { visitApp } from '#testing/visitPage.tsx';

const open = async (address = '/auth/verify?user_id=018f2a52-0000-7000-8000-000000000001') => {
  visitApp(address);
  await screen.findByRole('heading', { name: 'Confirm your email' });
};
const resend = () => screen.getByRole('button', { name: /^Resend email/ });
const press = () =>
  act(async () => {
    fireEvent.click(resend());
    await vi.advanceTimersByTimeAsync(20);
  });

afterEach(() => {
  vi.useRealTimers();
  document.head.querySelector('meta')?.remove();
});

test('without an address, offers no e-mail and shows whom to contact', async () => {
  await open('/auth/verify');
  expect(screen.getByText(/^An email was sent to your address/)).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Resend/ })).toBeNull();
  expect(within(screen.getByRole('main')).getByRole('link', { name: 'Contact us' }).getAttribute('href')).toBe(
    '/contact',
  );
});

test('resends the e-mail for the user in the address once a minute', async () => {
  let requestBody: unknown;
  fakeApi.answer(resendVerification, ({ body }) => {
    requestBody = body;
    return { accepted: true as const };
  });
  await open();
  vi.useFakeTimers();
  await press();
  expect(requestBody).toEqual({ userId: '018f2a52-0000-7000-8000-000000000001' });
  expect(screen.getByText('Another email was sent.').getAttribute('role')).toBe('status');
  expect(resend().textContent).toMatch(/^Resend email in (60|59) s$/);
  expect(resend().hasAttribute('disabled')).toBe(true);
  for (let second = 0; second < 60; second += 1) await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(resend().textContent).toBe('Resend email');
  expect(resend().hasAttribute('disabled')).toBe(false);
});

test('reports that the e-mail could not be sent and offers a retry', async () => {
  fakeApi.refuse(resendVerification, 429, 'rate_limited', 'Too many.');
  await open();
  fireEvent.click(resend());
  expect(await screen.findByText(/^The email could not be sent/)).toBeDefined();
  expect(resend().hasAttribute('disabled')).toBe(false);
});

test('links to the local outbox only on a server that keeps its e-mails', async () => {
  await open();
  expect(screen.queryByRole('link', { name: 'Open the local outbox' })).toBeNull();
  document.head.insertAdjacentHTML('beforeend', '<meta name="sightline-outbox" content="on">');
  await open();
  expect(screen.getByRole('link', { name: 'Open the local outbox' }).getAttribute('href')).toBe('/outbox');
});
