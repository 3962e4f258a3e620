import { expect, test } from 'vitest';
import {
  type ActionSubject,
  countsAsMember,
  type MemberAction,
  type MemberActionContext,
  type MemberStatus,
  memberActionRefusal,
  memberActions,
  memberActionsOn,
  memberStatuses,
  type RefusalReason,
} from './member-actions.ts';

const invited: readonly MemberStatus[] = ['pending', 'outdated'];
const subject = (status: MemberStatus, more: Partial<ActionSubject> = {}): ActionSubject => ({
  userId: invited.includes(status) || status === 'uninvited' ? null : 'them',
  invitationId: invited.includes(status) ? 'invitation' : null,
  email: 'them@example.org',
  roleId: status === 'uninvited' ? null : 'rol_contributor',
  status,
  ...more,
});
const scene = (more: Partial<MemberActionContext> = {}): MemberActionContext => ({
  actor: { accountId: 'me', roleId: 'rol_owner' },
  archived: false,
  activeOwners: 2,
  ...more,
});

// The table of the specification's answers, section 2: the actions of an owner on another member.
const table: Record<MemberStatus, readonly MemberAction[]> = {
  active: ['changeRole', 'deactivate', 'delete'],
  accepted: ['changeRole', 'deactivate', 'delete'],
  pending: ['changeRole', 'resend', 'revoke'],
  outdated: ['resend', 'revoke'],
  deactivated: ['reinstate', 'delete'],
  uninvited: ['invite'],
};

test.each(memberStatuses.flatMap((status) => memberActions.map((action) => ({ status, action }))))(
  '$status: $action',
  ({ status, action }) => {
    expect(memberActionsOn(subject(status), scene()).allowed[action]).toBe(table[status].includes(action));
  },
);

test.each(memberStatuses)('allows only owners to act on a member with status %s', (status) => {
  for (const roleId of ['rol_contributor', 'rol_reviewer', 'rol_auditor'] as const) {
    const { allowed, blocked } = memberActionsOn(subject(status), scene({ actor: { accountId: 'me', roleId } }));
    expect(Object.values(allowed)).not.toContain(true);
    for (const action of table[status]) expect(blocked[action]).toBe('not_owner');
  }
});

const owner = { roleId: 'rol_owner' } as const;
test.each<[MemberAction, ActionSubject, MemberActionContext, RefusalReason | undefined]>([
  ['changeRole', subject('active', { userId: 'me' }), scene(), 'self'],
  ['deactivate', subject('active', { userId: 'me' }), scene(), 'self'],
  ['delete', subject('active', { userId: 'me' }), scene(), 'self'],
  ['changeRole', subject('active', owner), scene({ activeOwners: 1 }), 'sole_owner'],
  ['deactivate', subject('active', owner), scene({ activeOwners: 1 }), 'sole_owner'],
  ['delete', subject('active', owner), scene({ activeOwners: 1 }), 'sole_owner'],
  ['delete', subject('active', { ...owner, userId: 'me' }), scene({ activeOwners: 1 }), 'sole_owner'],
  ['delete', subject('active', owner), scene(), undefined],
  // Only active owners count, so only an active owner can be the last one.
  ['delete', subject('accepted', owner), scene({ activeOwners: 1 }), undefined],
  ['delete', subject('deactivated', owner), scene({ activeOwners: 1 }), undefined],
  ['changeRole', subject('pending', owner), scene({ activeOwners: 1 }), undefined],
  ['resend', subject('uninvited'), scene(), 'no_invitation'],
  ['resend', subject('pending', { invitationId: null }), scene(), 'no_invitation'],
  ['revoke', subject('outdated', { invitationId: null }), scene(), 'no_invitation'],
  ['invite', subject('uninvited', { email: null }), scene(), 'no_address'],
  ['invite', subject('active'), scene(), 'wrong_status'],
  ['reinstate', subject('deactivated'), scene({ archived: true }), 'archived'],
  ['delete', subject('active'), scene({ archived: true }), 'archived'],
])('rejects %s: %#', (action, who, where, reason) => {
  expect(memberActionRefusal(action, who, where)).toBe(reason);
  expect(memberActionsOn(who, where).allowed[action]).toBe(reason === undefined);
});

test('hides what does not fit the status, without a reason', () => {
  expect(memberActionsOn(subject('active'), scene()).blocked).toEqual({});
  expect(memberActionsOn(subject('uninvited'), scene()).blocked).toEqual({ resend: 'no_invitation' });
});

test('counts active and accepted members', () => {
  expect(memberStatuses.filter(countsAsMember)).toEqual(['active', 'accepted']);
});
