import type { RoleId } from '../core/permissions.ts';

/** Spec 4. `pending` and `outdated` are invitations, `uninvited` are committers without an invitation. */
export const memberStatuses = ['active', 'accepted', 'pending', 'outdated', 'deactivated', 'uninvited'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

/** Spec 4: active and accepted count as members. */
export const countsAsMember = (status: MemberStatus): boolean => status === 'active' || status === 'accepted';

/** `invite` sends a first invitation, `resend` repeats one. */
export const memberActions = ['changeRole', 'invite', 'resend', 'revoke', 'deactivate', 'reinstate', 'delete'] as const;
export type MemberAction = (typeof memberActions)[number];

export const refusalReasons = [
  'not_owner',
  'archived',
  'sole_owner',
  'self',
  'no_invitation',
  'no_address',
  'wrong_status',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** Why an action is refused, as shown in both the API error and the tooltip. */
export const memberActionRefusalTexts: Record<RefusalReason, string> = {
  not_owner: 'Only an Account Owner can do this.',
  archived: 'The organization is archived. Restore it first.',
  sole_owner: 'This is the only active Account Owner. Make another member an owner first.',
  self: 'You cannot do this to yourself. Ask another Account Owner.',
  no_invitation: 'There is no invitation.',
  no_address: 'The person has no email address.',
  wrong_status: 'The status of this member no longer allows this.',
};

const permittedStatuses: Record<MemberAction, readonly MemberStatus[]> = {
  changeRole: ['active', 'accepted', 'pending'],
  invite: ['uninvited'],
  resend: ['uninvited', 'pending', 'outdated'],
  revoke: ['pending', 'outdated'],
  deactivate: ['active', 'accepted'],
  reinstate: ['deactivated'],
  delete: ['active', 'accepted', 'deactivated'],
};
const forbiddenOnSelf: readonly MemberAction[] = ['changeRole', 'deactivate', 'delete'];

/** The member list row that an action applies to. */
export interface ActionSubject {
  userId: string | null;
  invitationId: string | null;
  email: string | null;
  roleId: RoleId | null;
  status: MemberStatus;
}

/** The actor and the state of the organization. */
export interface MemberActionContext {
  actor: { accountId: string; roleId: RoleId };
  archived: boolean;
  /** Number of owners with status `active`; invited, accepted and deactivated owners do not count. */
  activeOwners: number;
}

/** Why `action` is refused; undefined if allowed. */
export function memberActionRefusal(
  action: MemberAction,
  subject: ActionSubject,
  scene: MemberActionContext,
): RefusalReason | undefined {
  if (!permittedStatuses[action].includes(subject.status)) return 'wrong_status';
  if (scene.actor.roleId !== 'rol_owner') return 'not_owner';
  if (scene.archived) return 'archived';
  if (forbiddenOnSelf.includes(action)) {
    if (isOnlyOwner(subject, scene)) return 'sole_owner';
    if (subject.userId === scene.actor.accountId) return 'self';
  }
  if ((action === 'resend' || action === 'revoke') && subject.invitationId === null) return 'no_invitation';
  if (action === 'invite' && subject.email === null) return 'no_address';
  return undefined;
}

/** Whether the organization would have no active owner without this member. */
export const isOnlyOwner = (
  { roleId, status }: Pick<ActionSubject, 'roleId' | 'status'>,
  { activeOwners }: Pick<MemberActionContext, 'activeOwners'>,
): boolean => roleId === 'rol_owner' && status === 'active' && activeOwners <= 1;

/** All actions: the allowed ones, and the reasons for those that match the status but are refused. */
export function memberActionsOn(
  subject: ActionSubject,
  scene: MemberActionContext,
): { allowed: Record<MemberAction, boolean>; blocked: Partial<Record<MemberAction, RefusalReason>> } {
  const reasons = memberActions.map((action) => [action, memberActionRefusal(action, subject, scene)] as const);
  return {
    allowed: Object.fromEntries(reasons.map(([action, reason]) => [action, reason === undefined])) as Record<
      MemberAction,
      boolean
    >,
    blocked: Object.fromEntries(
      reasons.filter(([, reason]) => reason !== undefined && reason !== 'wrong_status'),
    ) as Partial<Record<MemberAction, RefusalReason>>,
  };
}
