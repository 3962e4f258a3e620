// @vitest-environment happy-dom

import { ApiError } from '@sightline/contract/core/client.ts';
import { type Account, getAccount, updateAccountDescription } from '@sightline/contract/identity/accounts.ts';
import { disconnectExtension, type Extension, listExtensions } from '@sightline/contract/identity/extensions.ts';
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import {
  listConnections,
  listIdentities,
  listSimilarAccounts,
  startLink,
  unlinkRefusedMessage,
} from '@sightline/contract/identity/identities.ts';
import { beginTotp, getSecondFactors } from '@sightline/contract/identity/second-factors.ts';
import {
  getReauthentication,
  listSessions,
  type ReauthenticationMethod,
  reauthenticate,
} from '@sightline/contract/identity/sessions.ts';
import { listDownloads } from '@sightline/contract/tools/downloads.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { waitForFlags } from '#lib/flags.ts';
import { clearSession } from '#lib/session.ts';
import { fakeApi } from '#testing/fake-api.ts';
import { togglesOf } from '#testing/flags.fixture.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { AccountPage } from './AccountPage.tsx';

const me: Account = {
  nid: '00000000-0000-7000-8000-000000000001',
  auth0_user_id: 'ada',
  email: 'ada@acme.example',
  name: 'Ada Byron',
  picture: null,
  traits: {
    alias: 'ada',
    isEmployee: false,
    isOperator: false,
    onboardingComplete: true,
    hideTips: false,
    github: null,
    description: { displayName: 'Ada Byron', bio: '', email: '', company: '', location: '' },
  },
  linkedIdentities: [],
};

beforeEach(() => {
  signIn('rol_contributor');
  fakeApi.answer(getAccount, () => me);
  fakeApi.answer(listIdentities, () => [
    {
      id: 'github|7',
      connection: 'github',
      label: 'GitHub',
      provider: 'github',
      user_id: '7',
      profileData: { nickname: 'ada' },
      connectedAt: null,
      usedForLogin: true,
      blocked: unlinkRefusedMessage,
    },
  ]);
  fakeApi.answer(listConnections, () => []);
  fakeApi.answer(getSecondFactors, () => ({ totp: null, passkeys: [], recoveryCodesLeft: null, requiredBy: ['Acme'] }));
  fakeApi.answer(listSessions, () => []);
  fakeApi.answer(listDownloads, () => []);
  fakeApi.answer(listExtensions, () => []);
});

const sectionOf = async (title: string) => {
  const heading = await screen.findByRole('heading', { name: title });
  const section = heading.closest('section');
  if (!section) throw new Error(`The page has no section ${title}`);
  return within(section);
};

test('keeps a name that could not be saved in the field and shows the reason', async () => {
  fakeApi.refuse(updateAccountDescription, 503, 'unavailable', 'The database is not available just now.');
  visitPage('/account', AccountPage, '/account');
  const section = await sectionOf('Full name and email');
  await userEvent.clear(await section.findByLabelText('Full name'));
  expect(section.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
  await userEvent.type(section.getByLabelText('Full name'), 'Ada Lovelace{Enter}');
  expect((await section.findByRole('alert')).textContent).toContain('The database is not available');
  expect(section.getByLabelText('Full name')).toHaveProperty('value', 'Ada Lovelace');
});

test('explains why a login that the server does not offer cannot be connected', async () => {
  visitPage('/account', AccountPage, '/account');
  const section = await sectionOf('Authentication and identity');
  const google = await section.findByRole('button', { name: 'Connect Google' });
  expect(google).toHaveProperty('disabled', true);
  expect(section.getByText(/offers no sign-in with Google yet/)).toBeTruthy();
  expect(section.getByRole('button', { name: 'Connect Email / Password' })).toHaveProperty('disabled', false);
  expect(section.getByText(unlinkRefusedMessage)).toBeTruthy();
});

test('requires sign-in for a sensitive change, then completes it', { tags: 'full' }, async () => {
  let isConfirmed = false;
  const proofs: ReauthenticationMethod[] = ['password'];
  fakeApi.answer(beginTotp, () => {
    if (!isConfirmed)
      throw new ApiError('', 403, { code: 'reauthentication_required', message: 'Confirm.', requestId: '1' });
    return { secret: 'ABCDABCD', uri: 'otpauth://', qr: '<svg xmlns="http://www.w3.org/2000/svg"/>', setup: 'sealed' };
  });
  fakeApi.answer(getReauthentication, () => ({ needed: true, proofs }));
  fakeApi.answer(reauthenticate, ({ body }) => {
    if (!('password' in body) || body.password !== 'right')
      throw new ApiError('', 400, { code: 'validation_failed', message: 'password is not right.', requestId: '1' });
    isConfirmed = true;
    return { needed: false, proofs };
  });
  visitPage('/account', AccountPage, '/account');
  const section = await sectionOf('Second factor');
  expect(await section.findByText(/Acme requires one of every member/)).toBeTruthy();
  await userEvent.click(section.getByRole('button', { name: 'Set up' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it is you' }));
  await userEvent.type(await dialog.findByLabelText('Password'), 'wrong{Enter}');
  expect((await dialog.findByRole('alert')).textContent).toContain('is not right');
  await userEvent.clear(dialog.getByLabelText('Password'));
  await userEvent.type(dialog.getByLabelText('Password'), 'right{Enter}');
  expect(await screen.findByAltText('QR code for the authenticator app')).toBeTruthy();
  expect(screen.queryByRole('dialog', { name: 'Confirm it is you' })).toBeNull();
});

test('changes nothing if the confirmation is canceled, and reports it', async () => {
  fakeApi.refuse(startLink, 403, 'reauthentication_required', 'Confirm.');
  fakeApi.answer(listConnections, () => [
    { connection: 'google-oauth2', label: 'Google', kind: 'google' as const, sandbox: false },
  ]);
  fakeApi.answer(getReauthentication, () => ({ needed: true, proofs: ['passkey' as const, 'code' as const] }));
  visitPage('/account', AccountPage, '/account');
  const section = await sectionOf('Authentication and identity');
  await userEvent.click(await section.findByRole('button', { name: 'Connect Google' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it is you' }));
  expect(await dialog.findByRole('button', { name: 'Use a passkey' })).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(await section.findByText('Confirm.')).toBeTruthy();
  expect(section.getAllByText('Not connected')).toHaveLength(1);
});

test('links to the outside issuer for what it manages instead of offering it', async () => {
  const issuerMeta = document.createElement('meta');
  issuerMeta.name = 'sightline-issuer';
  issuerMeta.content = JSON.stringify({ authority: 'https://login.acme.example/realm', clientId: 'a', audience: 'b' });
  document.head.append(issuerMeta);
  try {
    visitPage('/account', AccountPage, '/account');
    const section = await sectionOf('Authentication and identity');
    expect(section.getByRole('link', { name: 'login.acme.example' })).toBeTruthy();
    for (const name of ['Second factor', 'Password', 'Active sessions']) {
      expect(screen.queryByRole('heading', { name })).toBeNull();
      expect(screen.queryByRole('link', { name })).toBeNull();
    }
  } finally {
    issuerMeta.remove();
  }
});

const editor: Extension = {
  id: '00000000-0000-7000-8000-000000000009',
  side: 'ide',
  type: 'vscode',
  device: 'desk',
  version: '1.0.0',
  organization: { id: 'organization', displayName: 'Acme' },
  createdAt: '2026-03-01T12:00:00.000Z',
  lastUsedAt: null,
};

test('removes a connected extension after confirmation only', async () => {
  const requests: unknown[] = [];
  const other = { ...editor, id: `${editor.id.slice(0, -1)}8`, device: '' };
  fakeApi.answer(listExtensions, () => [editor, other]);
  fakeApi.answer(disconnectExtension, ({ params }) => {
    requests.push(params);
    fakeApi.answer(listExtensions, () => [other]);
    return null;
  });
  visitPage('/account', AccountPage, '/account');
  const section = await sectionOf('Connected extensions');
  await userEvent.click(await section.findByRole('button', { name: 'Disconnect VS Code on desk' }));
  expect(requests).toEqual([]);
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Disconnect' }));
  await waitFor(() => expect(section.queryByText('VS Code on desk')).toBeNull());
  expect(requests).toEqual([{ extensionId: editor.id }]);
  expect(section.getByRole('button', { name: 'Disconnect VS Code' })).toBeTruthy();
});

test('lists MCP clients apart from extensions, and disconnects one after confirmation', async () => {
  const client = { ...editor, id: `${editor.id.slice(0, -1)}7`, side: 'mcp' as const, type: 'claude-code', device: '' };
  const registered = { ...client, id: `${editor.id.slice(0, -1)}6`, type: 'mcp', device: 'My agent' };
  const requests: unknown[] = [];
  fakeApi.answer(listExtensions, () => [editor, client, registered]);
  fakeApi.answer(disconnectExtension, ({ params }) => {
    requests.push(params);
    fakeApi.answer(listExtensions, () => [editor, registered]);
    return null;
  });
  visitPage('/account', AccountPage, '/account');
  const section = await sectionOf('Connected MCP clients');
  expect(section.queryByText('VS Code on desk')).toBeNull();
  expect(section.getByRole('button', { name: 'Disconnect My agent' })).toBeTruthy();
  await userEvent.click(section.getByRole('button', { name: 'Disconnect Claude Code' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/can no longer read data of/)).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Disconnect' }));
  await waitFor(() => expect(section.queryByText('Claude Code')).toBeNull());
  expect(requests).toEqual([{ extensionId: client.id }]);
});

test('shows where to get an extension if none is connected', async () => {
  visitPage('/account', AccountPage, '/account');
  const section = await sectionOf('Connected extensions');
  expect((await section.findByRole('link', { name: 'Get an extension' })).getAttribute('href')).toBe('#downloads');
});

test('offers the editor extension by system and CPU with installation steps', {
  tags: 'full',
}, async () => {
  const file = (system: 'macos' | null, architecture: 'arm64' | null, fileName: string) => ({
    target: 'vscode' as const,
    version: '1.2.0',
    system,
    architecture,
    fileName,
    url: `/downloads/${fileName}`,
    size: 70_000,
    sha256: 'c0ffee',
  });
  const universalFile = file(null, null, 'sightline-vscode-1.2.0.vsix');
  fakeApi.answer(listDownloads, () => [universalFile]);
  visitPage('/account', AccountPage, '/account');
  const section = await sectionOf('Get extensions');
  const choose = async (what: string, option: string) => {
    await userEvent.click(await section.findByRole('combobox', { name: `${what} for Visual Studio Code` }));
    await userEvent.click(await screen.findByRole('option', { name: option }));
  };
  await choose('Operating system', 'Windows');
  expect(section.getByText('One file for all systems and processors.')).toBeTruthy();
  expect(section.getByText(/PowerShell/).textContent).toContain('sightline-vscode-1.2.0.vsix');
  await choose('Operating system', 'macOS');
  expect(section.getByText(/⇧⌘X/)).toBeTruthy();
  await choose('Processor', 'ARM64');
  const link = section.getByRole('link', { name: 'Download for Visual Studio Code' });
  expect(link.getAttribute('href')).toBe(universalFile.url);
});

test('explains for Firefox whether an unsigned build or a signed copy stays installed', async () => {
  const file = (fileName: string) => ({
    target: 'firefox' as const,
    version: '1.2.0',
    system: null,
    architecture: null,
    fileName,
    url: `/downloads/${fileName}`,
    size: 70_000,
    sha256: 'c0ffee',
  });
  fakeApi.answer(listDownloads, () => [file('sightline-firefox-1.2.0.zip')]);
  const { queryClient } = visitPage('/account', AccountPage, '/account');
  const section = await sectionOf('Get extensions');
  expect(await section.findByText('Not signed by Mozilla: Firefox removes it when it closes.')).toBeTruthy();
  expect(section.getByText(/Load Temporary Add-on/)).toBeTruthy();
  fakeApi.answer(listDownloads, () => [file('sightline-firefox-1.2.0.xpi')]);
  await queryClient.invalidateQueries();
  expect(await section.findByText(/about:addons/)).toBeTruthy();
  expect(section.queryByText(/Not signed/)).toBeNull();
});

test('shows a card for each of six extensions and reports a missing file', async () => {
  visitPage('/account', AccountPage, '/account');
  const section = await sectionOf('Get extensions');
  const cards = await section.findAllByRole('listitem');
  expect(cards.map((card) => card.getAttribute('aria-label'))).toEqual([
    'Visual Studio Code',
    'Chrome',
    'Firefox',
    'Brave',
    'Edge',
    'Opera',
  ]);
  for (const card of cards) expect(card.textContent).toContain('This server offers no build of it.');
});

test('directs account deletion to support by e-mail or to the operator', async () => {
  visitPage('/account', AccountPage, '/account');
  expect((await sectionOf('Account deletion')).getByText(/contact the operator of this server/)).toBeTruthy();
  cleanup();
  document.head.insertAdjacentHTML('beforeend', '<meta name="sightline-support" content="help@acme.example">');
  try {
    visitPage('/account', AccountPage, '/account');
    const link = (await sectionOf('Account deletion')).getByRole('link', { name: 'help@acme.example' });
    expect(link.getAttribute('href')).toMatch(/^mailto:help@acme\.example\?subject=/);
  } finally {
    document.head.querySelector('meta[name=sightline-support]')?.remove();
  }
});

test.each([false, true])('shows the account linking section only with its flag: %s', async (on) => {
  act(() => clearSession());
  signIn('rol_contributor');
  fakeApi.answer(listSimilarAccounts, () => []);
  fakeApi.answer(listFeatureFlags, () => togglesOf(...(on ? ['accountLinking'] : [])));
  visitPage('/account', AccountPage, '/account');
  await sectionOf('Account deletion');
  await waitForFlags();
  if (on) await sectionOf('Account Linking & Merging');
  else expect(screen.queryByText('Account Linking & Merging')).toBeNull();
});
