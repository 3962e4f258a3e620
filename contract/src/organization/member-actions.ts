import type { RoleId } from '../core/permissions.ts';

/** spec 4. `pending` and `outdated` are invitations, `uninvited` are committers nobody invited. */
export const memberStatuses = ['active', 'accepted', 'pending', 'outdated', 'deactivated', 'uninvited'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

/** spec 4: active and accepted count as members. */
export const countsAsMember = (status: MemberStatus): boolean => status === 'active' || status === 'accepted';

/** `invite` asks somebody who was never asked, `resend` repeats an invitation. */
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

/** Why an action is refused, for people: the server's answer and the page's tooltip say the same. */
export const refusalTexts: Record<RefusalReason, string> = {
  not_owner: 'Only an Account Owner can do this.',
  archived: 'The organization is archived. Restore it first.',
  sole_owner: 'This is the only active Account Owner. Make another member an owner first.',
  self: 'You cannot do this to yourself. Ask another Account Owner.',
  no_invitation: 'There is no invitation.',
  no_address: 'The person has no email address.',
  wrong_status: 'The status of this member no longer allows this.',
};

const fits: Record<MemberAction, readonly MemberStatus[]> = {
  changeRole: ['active', 'accepted', 'pending'],
  invite: ['uninvited'],
  resend: ['uninvited', 'pending', 'outdated'],
  revoke: ['pending', 'outdated'],
  deactivate: ['active', 'accepted'],
  reinstate: ['deactivated'],
  delete: ['active', 'accepted', 'deactivated'],
};
const notOnOneself: readonly MemberAction[] = ['changeRole', 'deactivate', 'delete'];

/** The row of the member list that something is to be done with. */
export interface ActionSubject {
  userId: string | null;
  invitationId: string | null;
  email: string | null;
  roleId: RoleId | null;
  status: MemberStatus;
}

/** Who acts, and where. */
export interface ActionScene {
  actor: { accountId: string; roleId: RoleId };
  archived: boolean;
  /** Owners whose status is `active`: the invited, the accepted and the deactivated do not count. */
  activeOwners: number;
}

/** Why `action` is refused; undefined where it is allowed. */
export function refusalOf(action: MemberAction, subject: ActionSubject, scene: ActionScene): RefusalReason | undefined {
  if (!fits[action].includes(subject.status)) return 'wrong_status';
  if (scene.actor.roleId !== 'rol_owner') return 'not_owner';
  if (scene.archived) return 'archived';
  if (notOnOneself.includes(action)) {
    if (isOnlyOwner(subject, scene)) return 'sole_owner';
    if (subject.userId === scene.actor.accountId) return 'self';
  }
  if ((action === 'resend' || action === 'revoke') && subject.invitationId === null) return 'no_invitation';
  if (action === 'invite' && subject.email === null) return 'no_address';
  return undefined;
}

/** Whether the organization would be without an active owner if this one went. */
export const isOnlyOwner = (
  { roleId, status }: Pick<ActionSubject, 'roleId' | 'status'>,
  { activeOwners }: Pick<ActionScene, 'activeOwners'>,
): boolean => roleId === 'rol_owner' && status === 'active' && activeOwners <= 1;

/** All actions at once: what is allowed, and for what would fit the status but is not, why. */
export function actionsOn(
  subject: ActionSubject,
  scene: ActionScene,
): { allowed: Record<MemberAction, boolean>; blocked: Partial<Record<MemberAction, RefusalReason>> } {
  const reasons = memberActions.map((action) => [action, refusalOf(action, subject, scene)] as const);
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
