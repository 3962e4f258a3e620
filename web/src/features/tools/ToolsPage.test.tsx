// @vitest-environment happy-dom

import {
  listToolFilters,
  listToolProjects,
  listTools,
  type Tool,
  type ToolFilters,
} from '@sightline/contract/tools.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visit } from '#testing/visit.tsx';
import { ToolsPage } from './ToolsPage.tsx';
import { filters, tool } from './tool.fixture.ts';

function open({
  address = '/tools',
  rows = [tool()] as Tool[],
  choices = filters() as ToolFilters,
  role = 'rol_owner' as const,
} = {}) {
  signIn(role);
  const asked: unknown[] = [];
  fakeApi.answer(listTools, ({ body }) => {
    asked.push(body);
    return { rows, total: rows.length };
  });
  fakeApi.answer(listToolFilters, () => choices);
  return { asked, ...visit('/tools', ToolsPage, address) };
}

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const row = async () => (await screen.findAllByRole('row'))[1] as HTMLElement;

test('a row says what a tool is, where it is and how fresh that is, in words, and leads to its page', async () => {
  const { asked } = open({ address: '/tools?types=cli&vendors=Aqua Security' });
  const link = await screen.findByRole('link', { name: /Trivy/ });
  expect(link.getAttribute('href')).toBe('/tools/trivy');
  const words = (await row()).textContent;
  for (const part of [
    'Aqua Security',
    'CLI tool',
    'GitHub Actions',
    'Fresh',
    '1 hour ago',
    'api, site, wallet',
    '+2',
  ]) {
    expect(words).toContain(part);
  }
  expect(asked[0]).toMatchObject({ tab: 'ci/cd', types: ['cli'], vendors: ['Aqua Security'], sort: 'name-asc' });
  expect(screen.getByRole('link', { name: 'Developer Tools 0' }).getAttribute('href')).toBe('/tools?tab=developer');
});

test('without a choice the last 30 days are asked for; other ranges stand in the address', async () => {
  const { asked, search } = open();
  await row();
  expect(asked[0]).toMatchObject({ period: `${dayBefore(30)},${dayBefore(0)}` });
  await userEvent.click(screen.getByRole('button', { name: 'Last 30 days' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Last 7 days' }));
  expect(search()).toEqual({ activeRange: '7' });
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ period: `${dayBefore(7)},${dayBefore(0)}` }));
  await userEvent.click(screen.getByRole('button', { name: 'Last 7 days' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Any time' }));
  await waitFor(() => expect(asked.at(-1)).not.toHaveProperty('period'));
});

test('a range of one’s own holds both its days, and a day that is none is left out', async () => {
  const { asked } = open({ address: '/tools?activeRange=custom&from=2026-02-01&to=2026-02-31' });
  await row();
  expect(asked[0]).toMatchObject({ period: `2026-02-01,${dayBefore(0)}` });
});

test('the rest of the projects is fetched once it is asked for', async () => {
  open();
  fakeApi.answer(listToolProjects, () => ({
    rows: ['api', 'mobile'].map((name) => ({
      id: name,
      provider: 'github',
      fullName: `acme/${name}`,
      sources: ['github-actions' as const],
      firstSeen: tool().firstSeen,
      lastSeen: tool().lastSeen,
      goneAt: name === 'mobile' ? tool().lastSeen : null,
    })),
    total: 2,
  }));
  await userEvent.click(await screen.findByRole('button', { name: '2 more: 5 projects use Trivy' }));
  const list = await screen.findByRole('list', { name: '5 projects use Trivy' });
  expect(await within(list).findByText('acme/api')).toBeTruthy();
  expect(within(list).queryByText('acme/mobile')).toBeNull();
});

test('while repositories are read it says which, and how many are done', async () => {
  open({ rows: [], choices: filters({ scanning: { done: 1, total: 3, names: ['acme/api'] } }) });
  expect(await screen.findByRole('heading', { name: 'Scanning' })).toBeTruthy();
  expect(screen.getByText('acme/api')).toBeTruthy();
  expect(screen.getByText(/1 of 3 repositories read/)).toBeTruthy();
});

test('with nothing to show it says why, and what to do', async () => {
  const { search } = open({ rows: [] });
  expect(await screen.findByRole('heading', { name: 'No tools detected' })).toBeTruthy();
  await userEvent.click(await screen.findByRole('button', { name: 'Look at any time' }));
  expect(search()).toEqual({ activeRange: 'any' });
});

test('a filter without choices says so', async () => {
  open();
  await row();
  for (const [name, words] of [
    ['Category', 'No categories available'],
    ['People', 'No users available'],
    ['Projects', 'No projects available'],
  ] as const) {
    await userEvent.click(screen.getByRole('combobox', { name }));
    expect(await screen.findByText(words)).toBeTruthy();
    await userEvent.keyboard('{Escape}');
  }
});

test('without a match it names the filters in words, and clears them', async () => {
  const { search } = open({ rows: [], address: '/tools?tab=developer&types=cli&search=zz' });
  expect(await screen.findByText('No tool matches')).toBeTruthy();
  const used = screen.getByRole('list', { name: 'Filters in use' });
  expect(
    within(used)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Type: CLI tool', '“zz”']);
  await userEvent.click(screen.getAllByRole('button', { name: 'Clear filters' })[0] as HTMLElement);
  expect(search()).toEqual({ tab: 'developer' });
});

test('a tool that is gone says so', async () => {
  open({ rows: [tool({ inUse: false, projects: { items: [], total: 0 }, lastSeen: '2026-01-05T10:00:00.000Z' })] });
  expect(await screen.findByText('No longer in use')).toBeTruthy();
  expect((await row()).textContent).toContain('Stale');
});
