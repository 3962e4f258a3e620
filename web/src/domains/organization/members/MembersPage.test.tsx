// @vitest-environment happy-dom
import { ApiError } from '@sightline/contract/core/client.ts';
import { grants, permissions, roleIds } from '@sightline/contract/core/permissions.ts';
import { getLedgerSize, type LedgerSizeFacts } from '@sightline/contract/ledger/ledger.ts';
import { inviteMembers, revokeInvitation } from '@sightline/contract/organization/invitations.ts';
import { type MemberAction, memberActions, memberStatuses } from '@sightline/contract/organization/member-actions.ts';
import {
  changeMemberRole,
  getMembersSummary,
  listMembers,
  type MemberListItem,
  memberListItem,
} from '@sightline/contract/organization/members.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { listRoles, roleRefOf } from '@sightline/contract/organization/roles.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { organization } from '#testing/people.fixture.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { MembersPage } from './MembersPage.tsx';

const invitationId = '018f2a52-0000-7000-8000-000000000001';
const userId = '018f2a52-0000-7000-8000-000000000002';

/** A list item of the API; `may` lists the allowed actions. */
const member = (change: Partial<MemberListItem>, may: MemberAction[] = []): MemberListItem =>
  memberListItem.parse({
    id: userId,
    user_id: userId,
    invitation_id: null,
    name: 'Bob',
    email: 'bob@acme.example',
    picture: null,
    image: null,
    role: roleRefOf('rol_contributor'),
    status: 'active',
    createdAt: '2026-11-20T10:00:00Z',
    lastActivityAt: null,
    invitedBy: null,
    expiresAt: null,
    source: 'invite',
    delivery: null,
    blocked: {},
    allowed: Object.fromEntries(memberActions.map((action) => [action, may.includes(action)])),
    ...change,
  });

function open(rows: MemberListItem[], address = '/organization/members') {
  signIn('rol_owner');
  fakeApi.answer(getOrganization, () => organization());
  fakeApi.answer(listMembers, () => ({ rows, total: rows.length }));
  fakeApi.answer(getMembersSummary, () => ({
    total: 15,
    byStatus: { active: 12, accepted: 3, pending: 4, outdated: 0, deactivated: 0, uninvited: 1 },
    byRole: [
      { id: 'rol_owner' as const, name: 'Account Owner', count: 2 },
      { id: 'rol_contributor' as const, name: 'Code Contributor', count: 13 },
      { id: 'rol_auditor' as const, name: 'Auditor', count: 0 },
    ],
  }));
  fakeApi.answer(listRoles, () =>
    roleIds.map((id) => ({
      ...roleRefOf(id),
      isAccountOwner: id === 'rol_owner',
      isCodeContributor: id === 'rol_contributor',
      permissions: permissions.filter((permission) => permission in grants[id]),
      assignable: id !== 'rol_auditor',
      default: id === 'rol_contributor',
    })),
  );
  return visitPage('/organization/members', MembersPage, address);
}

async function openMenu(name: string): Promise<(string | null)[]> {
  await userEvent.click(await screen.findByLabelText(`Actions for ${name}`));
  return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
}
const choose = (entry: string) => userEvent.click(screen.getByRole('menuitem', { name: entry }));

test('counts members, roles and statuses in the summary, with shares in words and in the bar', async () => {
  open([]);
  expect((await screen.findByText('total members')).parentElement?.textContent).toBe('15 total members');
  expect(screen.getByText('Account Owner', { selector: 'dt' }).parentElement?.textContent).toBe('Account Owner2');
  expect(screen.queryByText('Auditor', { selector: 'dt' })).toBeNull();
  const legend = screen.getByLabelText('Filter by status');
  expect(
    within(legend)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Active 12 60%',
    'Accepted 3 15%',
    'Pending 4 20%',
    'Outdated 0 0%',
    'Deactivated 0 0%',
    'Uninvited 1 5%',
  ]);
  const segments = [...(legend.previousElementSibling?.children ?? [])] as HTMLElement[];
  expect(segments.map(({ style }) => [style.flexGrow, style.background])).toEqual([
    ['12', 'var(--ui-green-bar)'],
    ['3', 'var(--ui-blue-bar)'],
    ['4', 'var(--ui-yellow-bar)'],
    ['1', 'var(--ui-gray-bar)'],
  ]);
});

test('shows each status with its label and color', { tags: 'full' }, async () => {
  open(memberStatuses.map((status, index) => member({ id: `${userId.slice(0, -1)}${index}`, name: status, status })));
  await screen.findByRole('button', { name: 'Actions for active' });
  const badges = screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.querySelector<HTMLElement>('[style*="-tint"]'));
  expect(badges.map((badge) => [badge?.textContent, badge?.style.color])).toEqual([
    ['Active', 'var(--ui-green)'],
    ['Accepted', 'var(--ui-blue)'],
    ['Pending', 'var(--ui-yellow)'],
    ['Outdated', 'var(--ui-red)'],
    ['Deactivated', 'var(--ui-purple)'],
    ['Uninvited', 'var(--ui-gray)'],
  ]);
});

test('preselects Code Contributor in the invitation form', async () => {
  open([]);
  const form = (await screen.findByLabelText('Email addresses')).closest('form') as HTMLElement;
  const role = await within(form).findByRole('combobox', { name: /^Role/ });
  expect(role instanceof HTMLInputElement ? role.value : role.textContent).toContain('Code Contributor');
});

test('omits the current role and roles that cannot be given from the role menu', { tags: 'full' }, async () => {
  open([member({}, ['changeRole'])]);
  let changed: unknown;
  fakeApi.answer(changeMemberRole, ({ params, body }) => {
    changed = { ...params, ...body };
    return member({ role: roleRefOf('rol_reviewer') });
  });
  await userEvent.click(await screen.findByLabelText('Role of Bob: Code Contributor'));
  const entries = await screen.findAllByRole('menuitem');
  expect(entries.map(({ firstChild }) => firstChild?.textContent)).toEqual([
    expect.stringMatching(/^Account Owner/),
    expect.stringMatching(/^Digest Reviewer/),
  ]);
  await userEvent.click(entries[1] as HTMLElement);
  await waitFor(() => expect(changed).toEqual({ userId, oldRole: 'rol_contributor', newRole: 'rol_reviewer' }));
});

test('invites an uninvited committer as a contributor from the row menu', async () => {
  let sent: unknown;
  open([member({ user_id: null, role: null, status: 'uninvited', source: 'git' }, ['invite'])]);
  fakeApi.answer(inviteMembers, ({ body }) => {
    sent = body.invite;
    return { invited: [{ email: 'bob@acme.example', invitation_id: invitationId }], skipped: [] };
  });
  expect(await openMenu('Bob')).toEqual(['Invite', 'Delete all data']);
  await choose('Invite');
  await waitFor(() => expect(sent).toEqual({ emails: ['bob@acme.example'], roleID: 'rol_contributor' }));
});

test('resends an invitation in its role from the row menu', async () => {
  let sent: unknown;
  const pending = { user_id: null, invitation_id: invitationId, role: roleRefOf('rol_reviewer') };
  open([member({ ...pending, status: 'pending' }, ['resend', 'revoke'])]);
  fakeApi.answer(inviteMembers, ({ body }) => {
    sent = body.invite;
    return { invited: [{ email: 'bob@acme.example', invitation_id: invitationId }], skipped: [] };
  });
  expect(await openMenu('Bob')).toEqual(['Resend invitation', 'Revoke invitation']);
  await choose('Resend invitation');
  await waitFor(() => expect(sent).toEqual({ emails: ['bob@acme.example'], roleID: 'rol_reviewer' }));
});

test('logs a failed invitation to the console under INVITE_ERROR, and no other change', {
  tags: 'full',
}, async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue(undefined);
  const pending = { user_id: null, invitation_id: invitationId, role: roleRefOf('rol_reviewer') };
  open([member({ ...pending, status: 'pending' }, ['resend', 'revoke'])]);
  fakeApi.refuse(inviteMembers, 429, 'rate_limited', 'Too many invitations in one day.');
  await openMenu('Bob');
  await choose('Resend invitation');
  await waitFor(() => expect(logged.mock.calls).toEqual([['INVITE_ERROR', expect.stringContaining('429')]]));
  await openMenu('Bob');
  await choose('Revoke invitation');
  let revocations = 0;
  fakeApi.answer(revokeInvitation, () => {
    revocations += 1;
    throw new ApiError(revokeInvitation.path, 409, { code: 'conflict', message: 'It was accepted.', requestId: 'r' });
  });
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /^Revoke/ }));
  await waitFor(() => expect(revocations).toBe(1));
  expect(logged).toHaveBeenCalledTimes(1);
  logged.mockRestore();
});

test('revokes an invitation from the row menu after confirmation', { tags: 'full' }, async () => {
  let revoked: unknown;
  open([member({ user_id: null, invitation_id: invitationId, status: 'pending' }, ['resend', 'revoke'])]);
  fakeApi.answer(revokeInvitation, ({ params }) => {
    revoked = params;
    return { revoked: true as const };
  });
  await openMenu('Bob');
  await choose('Revoke invitation');
  const dialog = await screen.findByRole('dialog', { name: 'Revoke the invitation of Bob?' });
  expect(revoked).toBeUndefined();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(revoked).toEqual({ invitationId }));
});

test('shows unavailable invitation actions disabled with the reason', async () => {
  open([member({ status: 'outdated', user_id: null, blocked: { resend: 'no_invitation' } })]);
  await openMenu('Bob');
  const entry = screen.getByRole('menuitem', { name: /^Resend invitation/ });
  expect(entry.getAttribute('aria-disabled')).toBe('true');
  expect(entry.textContent).toContain('There is no invitation.');
});

test('shows picture or initials, name, address and status of a member', async () => {
  const picture = 'https://github.example/cleo.png';
  open([member({}), member({ id: invitationId, name: 'Cleo Dee', email: 'cleo@acme.example', picture })]);
  const first = (await screen.findByText('Bob')).closest('tr');
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['Name', 'Status', 'Role', 'Actions']),
  );
  expect(first?.querySelector('img')).toBeNull();
  expect(first?.textContent).toMatch(/^BBob.*bob@acme\.example.*Active.*Code Contributor/);
  const second = screen.getByText('Cleo Dee').closest('tr');
  await waitFor(() => expect(second?.querySelector('img')?.getAttribute('src')).toBe(picture));
});

const ledgerSize: LedgerSizeFacts = {
  ledgerSize: '1.4711',
  epoch: 1,
  size: 4711,
  recordedAt: '2026-03-01T10:00:00.000Z',
  checkpoint: { size: 4800, signedAt: '2026-03-01T10:00:08.000Z' },
  since: '2026-01-01T00:00:00.000Z',
};

test('shows the members at a ledger size with its checkpoint, without actions and filters on names', async () => {
  const { address } = open(
    [member({ createdAt: null }, ['changeRole'])],
    '/organization/members?ledgerSize=1.4711&role=rol_owner',
  );
  let asked: unknown;
  fakeApi.answer(listMembers, ({ query }) => {
    asked = query?.ledgerSize;
    return { rows: [member({ createdAt: null })], total: 1 };
  });
  fakeApi.answer(getLedgerSize, () => ledgerSize);
  expect(await screen.findByText('At ledger size 4,711')).toBeTruthy();
  expect(asked).toBe('1.4711');
  expect(screen.getByRole('button', { name: 'Download checkpoint 4,800' })).toBeTruthy();
  expect((await screen.findByText('Bob')).closest('tr')?.textContent).toContain('Not recorded');
  expect(screen.queryByLabelText('Actions for Bob')).toBeNull();
  expect(screen.queryByLabelText('Search members')).toBeNull();
  expect(screen.queryByRole('heading', { name: 'Invite members' })).toBeNull();
  const link = screen.getByRole('link', { name: 'Show the current list' });
  expect(link.getAttribute('href')).toBe('/organization/members?role=rol_owner');
  await userEvent.click(link);
  await waitFor(() => expect(address()).toBe('/organization/members?role=rol_owner'));
  expect(await screen.findByLabelText('Search members')).toBeTruthy();
  expect(screen.queryByText('At ledger size 4,711')).toBeNull();
});

test('selects the list at a time or ledger size, and shows why there is none', async () => {
  const { search } = open([member({})], '/organization/members?search=bob&status=active,pending');
  const asked: unknown[] = [];
  fakeApi.answer(getLedgerSize, ({ query }) => {
    asked.push(query);
    return ledgerSize;
  });
  await userEvent.click(await screen.findByRole('button', { name: 'As of' }));
  fakeApi.refuse(getLedgerSize, 400, 'validation_failed', 'ledgerSize must be between 1 and 4800.');
  await userEvent.type(await screen.findByLabelText('Ledger size'), '9,999');
  await userEvent.click(screen.getByRole('button', { name: 'Show size' }));
  expect(await screen.findByText('ledgerSize must be between 1 and 4800.')).toBeTruthy();
  fakeApi.answer(getLedgerSize, ({ query }) => {
    asked.push(query);
    return ledgerSize;
  });
  const time = screen.getByLabelText('Time');
  fireEvent.change(time, { target: { value: '2026-03-01T12:00:00' } });
  await userEvent.click(screen.getByRole('button', { name: 'Show time' }));
  await waitFor(() => expect(search()).toEqual({ ledgerSize: '1.4711', status: 'active' }));
  expect(asked[0]).toEqual({ at: new Date('2026-03-01T12:00:00').toISOString() });
});
