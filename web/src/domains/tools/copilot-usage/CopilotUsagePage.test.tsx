// @vitest-environment happy-dom
import {
  type CopilotSourceState,
  type CopilotUsage,
  getCopilotUsage,
  readCopilotUsage,
} from '@sightline/contract/tools/copilot-usage.ts';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { CopilotUsagePage } from './CopilotUsagePage.tsx';

const source: CopilotUsage['sources'][number] = {
  id: '7',
  account: 'acme',
  state: 'read',
  reason: null,
  checkedAt: '2026-11-28T05:34:00.000Z',
  settingsURL: 'https://github.com/organizations/acme/settings/installations/7/permissions/update',
};
const day = (date: string, counts: CopilotUsage['days'][number]['counts'], rejected = 0) => ({
  day: date,
  counts,
  rejected,
  entryId: date,
});
const usage: CopilotUsage = {
  sources: [source],
  source: '7',
  period: { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' },
  days: [
    day('2026-11-24', { dailyUsers: 5, generations: 1200, acceptances: 300 }),
    day('2026-11-26', { dailyUsers: 7, generations: 34 }, 2),
  ],
  byModel: [{ model: 'gpt-5.2', feature: 'chat_panel_ask_mode', counts: { generations: 900 } }],
  byFeature: [{ feature: 'code_completion', counts: { generations: 334, acceptances: 300 } }],
  byEditor: [],
};
const inState = (state: CopilotSourceState, reason: string | null = null) => [{ ...source, state, reason }];
const visit = () => visitPage('/agent-sessions/copilot', CopilotUsagePage, '/agent-sessions/copilot');
const table = async (name: string) => within(await screen.findByRole('table', { name }));

test('shows days as chart and table, in which a missing day or count is not zero', async () => {
  signIn('rol_auditor');
  fakeApi.answer(getCopilotUsage, () => usage);
  visit();
  fireEvent.click(await screen.findByRole('button', { name: /Show table of Generations/ }));
  const days = await table('Generations and acceptances');
  const cells = days.getAllByRole('row').map((row) => row.textContent);
  expect(cells.find((text) => text?.includes('24 Nov 2026'))).toMatch(/1,200.*300/);
  expect(cells.find((text) => text?.includes('25 Nov 2026'))).not.toContain('0,');
  expect(cells.find((text) => text?.includes('25 Nov 2026'))?.match(/–/g)).toHaveLength(3);
  expect(cells.find((text) => text?.includes('26 Nov 2026'))).toMatch(/34–/);
  expect(screen.getByText(/2 parts of the reports could not be understood/)).toBeTruthy();
  const models = await table('Usage by model and feature');
  expect(models.getByText('gpt-5.2')).toBeTruthy();
  expect(models.getByText('Chat panel ask mode')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Read now' })).toBeNull();
});

test('tells what to do without the permission, with the page on GitHub', async () => {
  signIn('rol_owner');
  const reason = 'GitHub answered 403: Resource not accessible by integration';
  fakeApi.answer(getCopilotUsage, () => ({
    ...usage,
    sources: inState('not_permitted', reason),
    days: [],
  }));
  let read = 0;
  fakeApi.answer(readCopilotUsage, () => {
    read += 1;
    return null;
  });
  visit();
  const link = await screen.findByRole('link', { name: /its permissions page/ });
  expect(link.getAttribute('href')).toBe(source.settingsURL);
  fireEvent.click(screen.getByRole('button', { name: 'See details' }));
  expect(screen.getByText(reason)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Read now' }));
  await expect.poll(() => read).toBe(1);
});

test('says that reading failed, beside the days that were read', async () => {
  signIn('rol_owner');
  fakeApi.answer(getCopilotUsage, () => ({
    ...usage,
    sources: inState('failed', 'GitHub answered 500'),
  }));
  visit();
  expect((await screen.findByRole('alert')).textContent).toContain('days may be missing');
  expect(screen.getByRole('button', { name: 'Read now' })).toBeTruthy();
  expect(await table('Usage by feature')).toBeTruthy();
});

test('offers to connect GitHub without an organization', async () => {
  signIn('rol_owner');
  fakeApi.answer(getCopilotUsage, () => ({ ...usage, sources: [], source: null, days: [] }));
  visit();
  await screen.findByRole('heading', { name: 'No GitHub organization is connected' });
});

test('shows a source without reports', async () => {
  signIn('rol_owner');
  fakeApi.answer(getCopilotUsage, () => ({ ...usage, sources: inState('no_reports'), days: [] }));
  visit();
  await screen.findByRole('heading', { name: 'No Copilot reports in this period' });
  expect(screen.getByText(/A missing day is not a day without use/)).toBeTruthy();
});

test('tells a Code Contributor that the role does not include it', async () => {
  signIn('rol_contributor');
  fakeApi.refuse(getCopilotUsage, 403, 'forbidden', 'Only roles that see the sessions of all members see it.');
  visit();
  await screen.findByRole('heading', { name: 'Your role does not include this' });
});
