// @vitest-environment happy-dom

import {
  decideAboutTools,
  listPolicies,
  type Policy,
  revertToolDecisions,
} from '@sightline/contract/compliance/policies.ts';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import {
  listToolFilters,
  listToolPeople,
  listToolProjects,
  listTools,
  type Tool,
  type ToolFilters,
} from '@sightline/contract/tools/tools.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { toast } from '#ui/toast.ts';
import { ToolsPage } from './ToolsPage.tsx';
import { tool, toolFilters } from './tool.fixture.ts';
import { queryPeriodOf, toolsQuery } from './toolsQuery.ts';

function open({
  address = '/tools',
  rows = [tool()] as Tool[],
  choices = toolFilters() as ToolFilters,
  role = 'rol_owner' as RoleId,
} = {}) {
  signIn(role);
  const requests: unknown[] = [];
  fakeApi.answer(listTools, ({ body }) => {
    requests.push(body);
    return { rows, total: rows.length };
  });
  fakeApi.answer(listToolFilters, () => choices);
  return { requests, ...visitPage('/tools', ToolsPage, address) };
}

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const row = async () => (await screen.findAllByRole('row'))[1] as HTMLElement;

test('shows name, repositories and age of a tool, and links to its page', {
  tags: 'full',
}, async () => {
  const { requests } = open({ address: '/tools?types=cli&vendors=Aqua Security' });
  const link = await screen.findByRole('link', { name: /Trivy/ });
  expect(link.getAttribute('href')).toBe('/tools/trivy');
  const words = (await row()).textContent;
  expect((await row()).innerHTML).toContain('/icons/trivy.svg');
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
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['Tool', 'Type', 'Categories', 'Source', 'Detected', 'People', 'Projects']),
  );
  expect(requests[0]).toMatchObject({ tab: 'ci/cd', types: ['cli'], vendors: ['Aqua Security'], sort: 'name-asc' });
  expect(requests[0]).toMatchObject({ page: 1, perPage: 10 });
  expect(screen.getByRole('link', { name: 'CI/CD Tools 1' }).getAttribute('aria-current')).toBe('page');
  expect(screen.getByRole('link', { name: 'Developer Tools 0' }).getAttribute('href')).toBe('/tools?tab=developer');
});

test('colors a row green within two days, orange within seven, and red afterwards', { tags: 'full' }, async () => {
  const seen = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  open({ rows: [1, 3, 8].map((days) => tool({ id: `t${days}`, name: `Tool ${days}`, lastSeen: seen(days) })) });
  await screen.findByRole('link', { name: /Tool 8/ });
  const rows = screen.getAllByRole('row').slice(1);
  const dots = rows.flatMap((one) => [...one.querySelectorAll<HTMLElement>('[style*="-bar"]')]);
  const seenDots = dots.filter(({ parentElement }) => /^(Fresh|Aging|Stale)/.test(parentElement?.textContent ?? ''));
  expect(seenDots.map(({ style }) => style.background)).toEqual(
    ['green', 'orange', 'red'].map((tone) => `var(--ui-${tone}-bar)`),
  );
});

test('requests the last 30 days by default, and keeps other ranges in the address', { tags: 'full' }, async () => {
  const { requests, search } = open();
  await row();
  expect(requests[0]).toMatchObject({ period: `${dayBefore(30)},${dayBefore(0)}` });
  await userEvent.click(screen.getByRole('button', { name: 'Seen: Last 30 days' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Last 7 days' }));
  expect(search()).toEqual({ activeRange: '7' });
  await waitFor(() => expect(requests.at(-1)).toMatchObject({ period: `${dayBefore(7)},${dayBefore(0)}` }));
  await userEvent.click(screen.getByRole('button', { name: 'Seen: Last 7 days' }));
  for (const name of ['Last 14 days', 'This year']) expect(screen.getByRole('button', { name })).toBeTruthy();
  await userEvent.click(await screen.findByRole('button', { name: 'Any time' }));
  await waitFor(() => expect(requests.at(-1)).not.toHaveProperty('period'));
});

test('includes both days of a custom range and drops an invalid day', async () => {
  const { requests } = open({ address: '/tools?activeRange=custom&from=2026-02-01&to=2026-02-31' });
  await row();
  expect(requests[0]).toMatchObject({ period: `2026-02-01,${dayBefore(0)}` });
});

test('loads remaining projects on request', { tags: 'full' }, async () => {
  open();
  fakeApi.answer(listToolProjects, () => ({
    rows: ['api', 'mobile'].map((name) => ({
      id: name,
      provider: 'github',
      fullName: `acme/${name}`,
      sources: ['github-actions' as const],
      firstSeen: tool().firstSeen,
      lastSeen: tool().lastSeen,
      removedAt: name === 'mobile' ? tool().lastSeen : null,
    })),
    total: 2,
  }));
  await userEvent.click(await screen.findByRole('button', { name: '2 more: 5 projects use Trivy' }));
  const list = await screen.findByRole('list', { name: '5 projects use Trivy' });
  expect(await within(list).findByText('acme/api')).toBeTruthy();
  expect(within(list).queryByText('acme/mobile')).toBeNull();
});

test('shows which repositories are being scanned and how many are done', async () => {
  open({ rows: [], choices: toolFilters({ scanning: { done: 1, total: 3, names: ['acme/api'] } }) });
  expect(await screen.findByRole('heading', { name: 'Scanning' })).toBeTruthy();
  expect(screen.getByText('acme/api')).toBeTruthy();
  expect(screen.getByText(/1 of 3 repositories scanned/)).toBeTruthy();
});

test('explains an empty list and what to do', async () => {
  const { search } = open({ rows: [] });
  expect(await screen.findByRole('heading', { name: 'No tools detected' })).toBeTruthy();
  await userEvent.click(await screen.findByRole('button', { name: 'Show any time' }));
  expect(search()).toEqual({ activeRange: 'any' });
});

test('reports a filter without choices', async () => {
  open({ choices: toolFilters({ toolsTypes: [], vendors: [] }) });
  await row();
  for (const [name, words] of [
    ['Type', 'No types available'],
    ['Vendor', 'No vendors available'],
    ['Category', 'No categories available'],
    ['People', 'No users available'],
    ['Projects', 'No projects available'],
  ] as const) {
    await userEvent.click(screen.getByRole('combobox', { name }));
    expect(await screen.findByText(words)).toBeTruthy();
    await userEvent.keyboard('{Escape}');
  }
});

test('names filters without matches and clears them', async () => {
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

test('shows that a tool was deleted', async () => {
  open({ rows: [tool({ inUse: false, projects: { items: [], total: 0 }, lastSeen: '2026-01-05T10:00:00.000Z' })] });
  expect(await screen.findByText('No longer in use')).toBeTruthy();
  expect((await row()).textContent).toContain('Stale');
});

test('shows up to four people and counts the rest behind +N', { tags: 'full' }, async () => {
  const names = ['Ada', 'Bob', 'Cleo', 'Dan'];
  const items = names.map((name) => ({ id: name, name, picture: null }));
  open({ rows: [tool({ people: { items, total: 6 } })] });
  expect(await screen.findByText('Ada, Bob, Cleo, Dan')).toBeTruthy();
  fakeApi.answer(listToolPeople, () => ({
    rows: [...names, 'Eve', 'Flo'].map((name) => ({
      person: { id: name, name, picture: null },
      source: 'vscode' as const,
      program: 'vscode',
      version: null,
      firstSeen: tool().firstSeen,
      lastSeen: tool().lastSeen,
      removedAt: null,
    })),
    total: 6,
  }));
  await userEvent.click(screen.getByRole('button', { name: '2 more: 6 people use Trivy' }));
  const list = await screen.findByRole('list', { name: '6 people use Trivy' });
  expect(await within(list).findByText('Flo')).toBeTruthy();
  expect(within(list).getAllByRole('listitem')).toHaveLength(6);
});

test('refetches the list every ten seconds while repositories are read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  try {
    let scanning = { done: 1, total: 3, names: ['acme/api'] };
    const { requests } = open({ rows: [] });
    fakeApi.answer(listToolFilters, () => toolFilters({ scanning }));
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
    const progress = () => screen.queryByText(/1 of 3 repositories scanned/);
    for (let passed = 0; progress() === null && passed < 20_000; passed += 100) await pass(100);
    expect(progress()).not.toBeNull();
    const before = requests.length;
    await pass(10_000);
    expect(requests.length).toBe(before + 1);
    await pass(10_000);
    expect(requests.length).toBe(before + 2);
    scanning = { done: 3, total: 3, names: [] };
    await pass(10_000);
    const after = requests.length;
    await pass(60_000);
    expect(requests.length).toBe(after);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['7', '2026-11-15,2026-11-22'],
  ['14', '2026-11-08,2026-11-22'],
  ['30', '2026-10-23,2026-11-22'],
  ['year', '2026-01-01,2026-11-22'],
  ['any', undefined],
] as const)('requests for the range %s: %s', (activeRange, period) => {
  expect(queryPeriodOf(toolsQuery.parse({ activeRange }), new Date('2026-11-22T12:00:00Z'))).toBe(period);
});

test('refetches neither tools nor filters within ten minutes (spec 9)', async () => {
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now);
  try {
    const { requests } = open();
    const filtersOf: unknown[] = [];
    fakeApi.answer(listToolFilters, ({ query }) => {
      filtersOf.push(query);
      return toolFilters();
    });
    const lists = () => requests.filter((body) => (body as { tab: string }).tab === 'ci/cd').length;
    const leaveAndReturn = async () => {
      await userEvent.click(await screen.findByRole('link', { name: /^Developer Tools/ }));
      await waitFor(() => expect(requests.at(-1)).toMatchObject({ tab: 'developer' }));
      await userEvent.click(screen.getByRole('link', { name: /^CI\/CD Tools/ }));
      await screen.findByRole('table', { name: 'CI/CD tools' });
    };
    await row();
    await leaveAndReturn();
    clock.mockReturnValue(now + 599_000);
    await leaveAndReturn();
    expect(lists()).toBe(1);
    const kinds = filtersOf.length;
    expect(new Set(filtersOf.map((query) => JSON.stringify(query))).size).toBe(kinds);
    clock.mockReturnValue(now + 1_800_000);
    await leaveAndReturn();
    await waitFor(() => expect([lists(), filtersOf.length]).toEqual([2, kinds + 2]));
  } finally {
    clock.mockRestore();
  }
});

/** The messages with Undo, whose action is the last argument. */
const spyOnOffers = () => vi.spyOn(toast, 'offer').mockReset().mockReturnValue('toast');
const lastOffer = (offer: ReturnType<typeof spyOnOffers>) =>
  waitFor(() => {
    const [message, label, act] = offer.mock.lastCall ?? [];
    expect(label).toBe('Undo');
    return { message, undo: act as () => void };
  });
const changeId = '0b7f8f0e-6b3b-4f7e-9d0a-1d1f3b0a7c13';
const decidedPolicy = { id: '0b7f8f0e-6b3b-4f7e-9d0a-1d1f3b0a7c12', version: 2, previousVersion: 1 };
const [deny, allow] = ['0b7f8f0e-6b3b-4f7e-9d0a-1d1f3b0a7c11', '0b7f8f0e-6b3b-4f7e-9d0a-1d1f3b0a7c12'];

test('denies a tool in the denying policy, and names the approving policy that no longer contains it', {
  tags: 'full',
}, async () => {
  const scope = (ids: string[]) => ({
    repositories: null,
    branches: [],
    tools: ids.map((id) => ({ id, versions: null })),
  });
  const base = (change: Partial<Policy>): Policy => ({
    id: deny,
    version: 3,
    name: 'Denied tools',
    kind: 'tool-deny',
    scope: scope(['curl']),
    settings: {},
    mode: 'warn',
    from: `${dayBefore(3)}T10:00:00.000Z`,
    until: null,
    author: { id: 'ada', name: 'Ada' },
    repositories: [],
    hasPendingChange: false,
    allowed: { change: true, delete: true, restore: false },
    ...change,
  });
  const approved = base({ id: allow, version: 1, name: 'Approved tools', kind: 'tool-allow', scope: scope(['trivy']) });
  const approval = {
    state: 'approved' as const,
    since: `${dayBefore(3)}T10:00:00.000Z`,
    versions: null,
    policy: { id: allow, name: 'Approved tools', version: 1 },
  };
  open({ rows: [tool({ approval })] });
  fakeApi.answer(listPolicies, () => ({ rows: [base({}), approved], total: 2 }));
  const offer = spyOnOffers();
  const decisions: unknown[] = [];
  fakeApi.answer(decideAboutTools, ({ body }) => {
    decisions.push(body);
    return {
      decided: 1,
      pending: 0,
      unchanged: 0,
      overruled: 1,
      policy: 'Denied tools',
      changes: [decidedPolicy],
      pendingChangeIds: [],
    };
  });
  await screen.findByRole('link', { name: /Trivy/ });
  expect((await row()).textContent).toMatch(/Approved.*Approved tools v1/);
  await userEvent.click(within(await row()).getByRole('button', { name: 'Actions for Trivy' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Deny…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Deny Trivy' });
  await within(dialog).findByText(/removed from “Approved tools”/);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Deny' }));
  await waitFor(() =>
    expect(decisions).toEqual([{ decision: 'denied', tools: { ids: ['trivy'] }, versions: null, policyId: deny }]),
  );
  expect((await lastOffer(offer)).message).toBe('Trivy is denied in “Denied tools”.');
});

test('approves all tools that match the filters, on every page, in three clicks, and undoes it', async () => {
  const rows = Array.from({ length: 10 }, (_, index) => tool({ id: `tool-${index}`, name: `Tool ${index}` }));
  open({ rows, address: '/tools?vendors=Acme' });
  fakeApi.answer(listTools, () => ({ rows, total: 52 }));
  const offer = spyOnOffers();
  const decisions: unknown[] = [];
  fakeApi.answer(decideAboutTools, ({ body }) => {
    decisions.push(body);
    return {
      decided: 0,
      pending: 52,
      unchanged: 0,
      overruled: 2,
      policy: 'Approved tools',
      changes: [],
      pendingChangeIds: [changeId, allow],
    };
  });
  const reverted: unknown[] = [];
  fakeApi.answer(revertToolDecisions, ({ body }) => {
    reverted.push(body);
    return { pending: 0 };
  });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
  const bar = await screen.findByRole('region', { name: 'Selected tools' });
  expect(within(bar).getByRole('status').textContent).toBe('10 selected');
  await userEvent.click(within(bar).getByRole('button', { name: 'Select all 52' }));
  expect(within(bar).getByRole('status').textContent).toBe('All 52 selected');
  await userEvent.click(within(bar).getByRole('button', { name: 'Approve 52' }));
  const { message, undo } = await lastOffer(offer);
  expect(message).toBe(
    '52 tools are approved in “Approved tools” after another person approves 2 changes of policies.',
  );
  expect(decisions).toEqual([
    expect.objectContaining({
      decision: 'approved',
      tools: { total: 52, filter: expect.objectContaining({ tab: 'ci/cd', vendors: ['Acme'] }) },
    }),
  ]);
  expect(screen.queryByRole('region', { name: 'Selected tools' })).toBeNull();
  const success = vi.spyOn(toast, 'success');
  undo();
  await waitFor(() => expect(success).toHaveBeenCalledWith('The decision was undone.'));
  expect(reverted).toEqual([{ changes: [], pendingChangeIds: [changeId, allow] }]);
});

test('says what awaits an approval when tools are denied and when that is undone', async () => {
  const rows = [tool({ id: 'one', name: 'One' }), tool({ id: 'two', name: 'Two' })];
  open({ rows });
  const offer = spyOnOffers();
  fakeApi.answer(decideAboutTools, () => ({
    decided: 2,
    pending: 0,
    unchanged: 0,
    overruled: 1,
    policy: 'Denied tools',
    changes: [decidedPolicy],
    pendingChangeIds: [changeId],
  }));
  fakeApi.answer(revertToolDecisions, () => ({ pending: 1 }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Deny 2' }));
  const { message, undo } = await lastOffer(offer);
  expect(message).toBe(
    '2 tools are denied in “Denied tools”. The opposite decision ends after another person approves the change of the policy.',
  );
  const info = vi.spyOn(toast, 'info');
  undo();
  await waitFor(() =>
    expect(info).toHaveBeenCalledWith('The decision is undone after another person approves the change of the policy.'),
  );
});

test('deselecting one tool keeps the others of the page', async () => {
  const rows = [tool({ id: 'one', name: 'One' }), tool({ id: 'two', name: 'Two' })];
  open({ rows });
  fakeApi.answer(listTools, () => ({ rows, total: 30 }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Select all 30' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Two' }));
  expect(await screen.findByRole('button', { name: 'Approve 1' })).toBeTruthy();
});

test('shows approvals without controls to a role without policy permission', async () => {
  open({ role: 'rol_auditor' });
  await screen.findByRole('link', { name: /Trivy/ });
  expect((await row()).textContent).toContain('Not reviewed');
  expect(within(await row()).queryByRole('button', { name: 'Actions for Trivy' })).toBeNull();
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('requests the tools at a ledger size, with the range by name, and shows what was not recorded', async () => {
  const recorded = { entry: null, missing: ['sources', 'inUse', 'people'] };
  const rows = [tool({ recorded, sources: [], source: null, inUse: null, people: { items: [], total: 0 } })];
  const { requests } = open({ rows, address: '/tools?ledgerSize=1.4711&activeRange=14' });
  await screen.findByRole('link', { name: /Trivy/ });
  expect(requests[0]).toMatchObject({ ledgerSize: '1.4711', activeRange: '14' });
  expect(requests[0]).not.toHaveProperty('period');
  expect(within(await row()).getAllByText('Not recorded')).toHaveLength(2);
  expect((await row()).textContent).not.toContain('No longer in use');
  for (const name of [/^Vendor/, /^Source/, /^Status/]) expect(screen.queryByRole('combobox', { name })).toBeNull();
  expect(screen.getByRole('combobox', { name: /^Approval/ })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Export CSV' })).toBeTruthy();
  expect(screen.queryByRole('checkbox', { name: /Select/ })).toBeNull();
  expect(screen.getByRole('link', { name: 'Developer Tools' }).getAttribute('href')).toBe(
    '/tools?tab=developer&activeRange=14&ledgerSize=1.4711',
  );
});
