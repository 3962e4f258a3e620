// @vitest-environment happy-dom

import { flagNames } from '@sightline/contract/core/flags.ts';
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOverrides } from '#lib/flag-overrides.ts';
import { clearSession, startSession } from '#lib/session.ts';
import { renderWithTheme } from '#testing/draw.tsx';
import { fakeApi } from '#testing/fake-api.ts';
import { togglesOf } from '#testing/flags.fixture.ts';
import { EmployeeSettings } from './EmployeeSettings.tsx';
import { flagDescriptions } from './flagWords.ts';

let closed: number;
let reloaded: number;
beforeEach(async () => {
  closed = 0;
  reloaded = 0;
  fakeApi.answer(listFeatureFlags, () => togglesOf('release2'));
  startSession(`e30.${btoa(JSON.stringify({ sub: 'ada', orgID: 'acme', exp: 4_102_444_800 }))}.s`);
  renderWithTheme(<EmployeeSettings account="ada" opened onClose={() => closed++} onReload={() => reloaded++} />);
  await screen.findByText('Server: on · Repositories and Explore');
});
afterEach(clearSession);

const flag = (name: RegExp) => screen.getByRole('switch', { name });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('shows every flag with the value of the server', () => {
  expect(Object.keys(flagDescriptions).toSorted()).toEqual([...flagNames].toSorted());
  expect(screen.getAllByRole('switch')).toHaveLength(flagNames.length);
  expect(flag(/^Release 2/)).toHaveProperty('checked', true);
  expect(flag(/^Jira/)).toHaveProperty('checked', false);
});

test('closes without a reload if nothing changed', async () => {
  await userEvent.keyboard('{Escape}');
  expect([closed, reloaded]).toEqual([1, 0]);
});

test('keeps an override, reports it, and reloads on closing', async () => {
  await userEvent.click(flag(/^Release 2/));
  expect(readOverrides('ada')).toEqual({ release2: false });
  expect(screen.getByText('Overridden')).toBeDefined();
  await userEvent.keyboard('{Escape}');
  expect([closed, reloaded]).toEqual([0, 1]);
});

test('removes an override that is set back', async () => {
  await userEvent.click(flag(/^Jira/));
  await userEvent.click(flag(/^Jira/));
  expect(readOverrides('ada')).toEqual({});
  await userEvent.keyboard('{Escape}');
  expect([closed, reloaded]).toEqual([1, 0]);
});

test('turns all flags off and clears all overrides', async () => {
  await press('All Off');
  expect(readOverrides('ada')).toEqual(Object.fromEntries(flagNames.map((name) => [name, false])));
  await press('Clear All Overrides');
  expect(readOverrides('ada')).toEqual({});
  expect(flag(/^Release 2/)).toHaveProperty('checked', true);
});
