import { authorizeExtension } from '@sightline/contract/identity/extensions.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { organization } from '#testing/people.fixture.ts';
import { signIn, visitPage } from '#testing/visit.tsx';
import { AuthorizePage } from './AuthorizePage.tsx';

const kestrel = organization({ displayName: 'Kestrel Payments', role: 'rol_contributor' });
const challenge = 'c'.repeat(43);
const requestQuery = `state=a-random-state&code_challenge=${challenge}&device=desk&type=vscode`;

let left: string[];
beforeEach(() => {
  signIn('rol_contributor');
  left = [];
  vi.spyOn(window.location, 'assign').mockImplementation((address) => void left.push(String(address)));
  allow({});
});
afterEach(() => {
  vi.restoreAllMocks();
  document.querySelector('meta[name="sightline-authorize"]')?.remove();
});

function allow(over: object): void {
  const rules = { schemes: ['vscode'], origins: [], localOrigins: false, withToken: true, ...over };
  const meta = document.querySelector('meta[name="sightline-authorize"]') ?? document.createElement('meta');
  meta.setAttribute('name', 'sightline-authorize');
  meta.setAttribute('content', JSON.stringify(rules));
  document.head.append(meta);
}

const open = (search: string, known = kestrel) =>
  visitPage(
    '/authorize/$scheme',
    () => <AuthorizePage organization={known} error={undefined} onRetry={() => undefined} />,
    `/authorize/vscode?${search}`,
  );

const inAMinute = () => new Date(Date.now() + 60_000).toISOString();

test('shows account, organization and purpose, and opens the editor with a code and the state', async () => {
  fakeApi.answer(authorizeExtension, ({ body }) => {
    expect(body).toEqual({ side: 'ide', type: 'vscode', device: 'desk', codeChallenge: challenge });
    return { code: 'slc_one', expiresAt: inAMinute() };
  });
  open(requestQuery);
  await waitFor(() =>
    expect(left).toEqual(['vscode://sightline.sightline/authorize?code=slc_one&state=a-random-state']),
  );
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Opening VS Code');
  expect(screen.getByText('ada@acme.example')).toBeTruthy();
  expect(screen.getByText('Kestrel Payments')).toBeTruthy();
  expect(screen.getByText('Code Contributor')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open VS Code' }).getAttribute('href')).toBe(left[0]);
});

test('requests no code before the role is known', async () => {
  fakeApi.answer(authorizeExtension, () => {
    throw new Error('too early');
  });
  visitPage(
    '/authorize/$scheme',
    () => <AuthorizePage organization={undefined} error={undefined} onRetry={() => undefined} />,
    `/authorize/vscode?${requestQuery}`,
  );
  await screen.findByText('Checking permissions.');
  expect(left).toEqual([]);
});

test('replaces an expired code before it opens the editor', async () => {
  const codes = ['slc_old', 'slc_new'];
  fakeApi.answer(authorizeExtension, () => {
    const code = codes.shift() ?? '';
    return { code, expiresAt: code === 'slc_old' ? new Date(0).toISOString() : inAMinute() };
  });
  open(requestQuery);
  await waitFor(() => expect(left).toHaveLength(1));
  await userEvent.click(screen.getByRole('link', { name: 'Open VS Code' }));
  await waitFor(() => expect(left[1]).toContain('code=slc_new'));
});

test('shows the cause of a refusal and offers a retry', async () => {
  fakeApi.refuse(authorizeExtension, 409, 'conflict', 'This organization is archived.');
  open(requestQuery);
  await screen.findByText('This organization is archived.');
  fakeApi.answer(authorizeExtension, () => ({ code: 'slc_one', expiresAt: inAMinute() }));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(left).toHaveLength(1));
});

test('sends a token without a challenge only after a click', async () => {
  open('');
  const button = await screen.findByRole('button', { name: 'Open VS Code' });
  expect(left).toEqual([]);
  await userEvent.click(button);
  const token = localStorage.getItem('accessToken') ?? '';
  await waitFor(() => expect(left).toHaveLength(1));
  expect(new URL(left[0] ?? '').searchParams.get('token')).toBe(token);
});

test('refuses a link without a PKCE challenge unless the operator allows it', async () => {
  allow({ withToken: false });
  open('');
  await screen.findByText(/has no PKCE challenge/);
  expect(screen.queryByRole('button')).toBeNull();
  expect(left).toEqual([]);
});

test('sends no code to a redirect address that is not allowed', async () => {
  fakeApi.answer(authorizeExtension, () => {
    throw new Error('no code must be requested');
  });
  open(`${requestQuery}&callback=${encodeURIComponent('https://evil.example/callback')}`);
  await screen.findByText(/AUTHORIZE_CALLBACK_ORIGINS/);
  expect(left).toEqual([]);
});
