import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { signIn, visitPage } from '#testing/visit.tsx';
import { DocsPage } from './DocsPage.tsx';

afterEach(() => void vi.useRealTimers());

const open = (address: string) => visitPage('/docs/$page', DocsPage, address);

const current = () =>
  within(screen.getByRole('navigation', { name: 'Documentation' })).getByRole('link', { current: 'page' });

test('shows a page without an account with title, text, position in the list and neighbors', async () => {
  open('/docs/privacy');
  expect(await screen.findByRole('heading', { level: 1 })).toHaveProperty('textContent', 'Privacy');
  expect(document.title).toBe('Privacy · Documentation · Sightline');
  expect(screen.getByText(/field by field, its retention and visibility/)).toBeDefined();
  expect(current().textContent).toBe('Privacy');
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/');
  const around = within(screen.getByRole('navigation', { name: 'Previous and next page' }));
  expect(around.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/docs/roles',
    '/docs/explore',
  ]);
});

test('offers signed-in users a link back', async () => {
  signIn('rol_owner');
  open('/docs/roles');
  expect(await screen.findByRole('link', { name: 'Open Sightline' })).toBeDefined();
});

test('focuses the heading in the address and links to it from the page and the contents', async () => {
  open('/docs/explore#saved-views');
  const heading = await screen.findByRole('heading', { name: 'Saved views' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  const contents = within(screen.getByRole('navigation', { name: 'On this page' }));
  expect(contents.getByRole('link', { name: 'Saved views' }).getAttribute('href')).toBe('/docs/explore#saved-views');
  expect(screen.getByRole('link', { name: 'Link to: Saved views' }).getAttribute('href')).toBe(
    '/docs/explore#saved-views',
  );
});

test('follows a link in the text to its page and heading without a reload', async () => {
  const { address } = open('/docs/roles');
  await userEvent.click(await screen.findByRole('link', { name: 'views' }));
  const heading = await screen.findByRole('heading', { name: 'Saved views' });
  expect(address()).toBe('/docs/explore#saved-views');
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(current().textContent).toBe('Explore');
});

test('copies code and confirms it on the button for two seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  open('/docs/explore');
  await user.click((await screen.findAllByRole('button', { name: 'Copy' }))[0] as HTMLElement);
  const button = await screen.findByRole('button', { name: 'Copied!' });
  act(() => void vi.advanceTimersByTime(2_000));
  expect(button.textContent).toBe('Copy');
  expect(await navigator.clipboard.readText()).toBe('kind:commit actor:ada repo:acme/api after:-30d');
});

test('searches by keyboard alone: slash, words, arrow keys, Enter', { tags: 'full' }, async () => {
  const user = userEvent.setup();
  const { address } = open('/docs/roles');
  await screen.findByRole('heading', { level: 1 });
  await user.keyboard('/quiet hours');
  const options = await screen.findAllByRole('option');
  expect(options[0]?.textContent).toMatch(/^Notifications › Your settings.*quiet hours/i);
  expect(options.map((option) => option.getAttribute('aria-selected'))[0]).toBe('true');
  expect(screen.getByText(`${options.length} results`)).toBeDefined();
  await user.keyboard('{ArrowDown}{ArrowUp}{Enter}');
  const heading = await screen.findByRole('heading', { name: 'Your settings' });
  expect(address()).toBe('/docs/notifications#your-settings');
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(screen.queryAllByRole('option')).toEqual([]);
});

test('reports a search without results and clears it on Escape', async () => {
  const user = userEvent.setup();
  open('/docs/roles');
  const field = await screen.findByRole('combobox', { name: 'Search the documentation' });
  await user.type(field, 'zzzz');
  expect(screen.getByText('No results. Try fewer or different words.')).toBeDefined();
  await user.keyboard('{Escape}');
  expect(field).toHaveProperty('value', '');
  expect(field.getAttribute('aria-expanded')).toBe('false');
});

test('reports an unknown address, keeps the list and allows a search', async () => {
  open('/docs/nothing');
  expect(await screen.findByRole('heading', { name: '404 Not Found' })).toBeDefined();
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Search the documentation' }));
  expect(screen.getByRole('link', { name: 'Explore' }).getAttribute('href')).toBe('/docs/explore');
});
