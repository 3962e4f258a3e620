import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { atLedgerSize, recordedRow } from '../core/ledger-sizes.ts';
import { pagedQuery } from '../core/paging.ts';
import { roleIds } from '../core/permissions.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';
import { memberActions, memberStatuses, refusalReasons } from './member-actions.ts';
import { roleRef } from './roles.ts';

const status = z.enum(memberStatuses);

export const memberListItem = z.object({
  /** ID of the account, invitation or person of this row. */
  id: z.string(),
  user_id: z.string().nullable(),
  invitation_id: z.string().nullable(),
  name: z.string(),
  /** Null for a committer without a deliverable commit address. */
  email: z.string().nullable(),
  picture: z.string().nullable(),
  image: z.string().nullable(),
  /** Null without an invitation. */
  role: roleRef.nullable(),
  status,
  /** When the member joined, was invited, or (uninvited) first committed here. Null: not recorded at the ledger size. */
  createdAt: timestamp.nullable(),
  lastActivityAt: timestamp.nullable(),
  invitedBy: z.object({ user_id: z.string(), name: z.string() }).nullable(),
  expiresAt: timestamp.nullable(),
  source: z.enum(['invite', 'scim', 'sso', 'git']),
  /** Delivery status of the email of an open invitation; null for other rows. */
  delivery: z.enum(['queued', 'sent', 'failed']).nullable(),
  /** The actions that the requesting member may take. */
  allowed: z.record(z.enum(memberActions), z.boolean()),
  /** The reasons for refused actions that match the status. */
  blocked: z.partialRecord(z.enum(memberActions), z.enum(refusalReasons)),
  recorded: recordedRow.optional(),
});
export type MemberListItem = z.infer<typeof memberListItem>;

export const listMembers = endpoint({
  method: 'GET',
  path: '/v2/auth0mgm/org/members',
  summary: 'Lists members, invitations and uninvited committers, or the members at a ledger size.',
  scope: 'organization',
  permission: 'read:org-members',
  query: pagedQuery(['date-desc', 'date-asc', 'name-asc', 'name-desc', 'role-asc', 'role-desc'], {
    role: commaList(z.enum(roleIds)),
    status: commaList(status),
    ...atLedgerSize,
  }),
  topics: ['orgMembers'],
  response: z.array(memberListItem),
  paged: true,
});
export const exportMembers = csvExportOf(listMembers);
export type MembersQuery = z.output<typeof listMembers.query>;

export const getMembersSummary = endpoint({
  method: 'GET',
  path: '/v2/auth0mgm/org/members/summary',
  summary: 'Returns the number of members by status and role.',
  scope: 'organization',
  permission: 'read:org-members',
  topics: ['orgMembers'],
  response: z.object({
    /** Active and accepted members. */
    total: z.number(),
    /** Omits counts of invitations without permission to read them. */
    byStatus: z.partialRecord(status, z.number()),
    /** Among active and accepted members. */
    byRole: z.array(z.object({ id: z.enum(roleIds), name: z.string(), count: z.number() })),
  }),
});
export type MembersSummary = z.infer<typeof getMembersSummary.response>;

export const findHandle = endpoint({
  method: 'GET',
  path: '/v2/auth0mgm/org/handles/:handle',
  summary: 'Returns a code host login that is known to the organization. 404 otherwise.',
  scope: 'organization',
  permission: 'read:org',
  params: z.strictObject({ handle: boundedText(100).min(1) }),
  response: z.object({ handle: z.string() }),
});

/** A visit to the home page ends after this time without a request; in minutes. */
export const HOME_VISIT_GAP_MINUTES = 60;

export const recordHomeVisit = endpoint({
  method: 'POST',
  path: '/v2/user/home-visit',
  summary: 'Records that the member sees the home page, and returns the end of their visit before this one.',
  scope: 'organization',
  permission: 'read:org',
  changes: [],
  /** Null: the first visit. */
  response: z.object({ previousAt: timestamp.nullable() }),
});

const ofMember = z.strictObject({ userId: z.uuid() });

export const changeMemberRole = endpoint({
  method: 'PATCH',
  path: '/v2/auth0mgm/org/users/:userId/update-role',
  summary: 'Changes the role of a member if it is still the expected one. Takes effect immediately.',
  scope: 'organization',
  permission: 'update:org',
  params: ofMember,
  body: z.strictObject({ oldRole: z.enum(roleIds), newRole: z.enum(roleIds) }),
  changes: ['orgMembers'],
  response: memberListItem,
  errors: ['conflict', 'sole_owner'],
  stepUp: true,
});

export const deactivateMember = endpoint({
  method: 'PUT',
  path: '/v2/auth0mgm/org/users/:userId/deactivate',
  summary: 'Deactivates a member until they are reinstated. Takes effect immediately.',
  scope: 'organization',
  permission: 'update:org',
  params: ofMember,
  changes: ['orgMembers'],
  response: memberListItem,
  errors: ['conflict', 'sole_owner'],
});

export const reinstateMember = endpoint({
  method: 'PUT',
  path: '/v2/auth0mgm/org/users/:userId/reinstate',
  summary: 'Reinstates a deactivated member with their previous role.',
  scope: 'organization',
  permission: 'update:org',
  params: ofMember,
  changes: ['orgMembers'],
  response: memberListItem,
  errors: ['conflict'],
});

export const deleteMember = endpoint({
  method: 'DELETE',
  path: '/v2/auth0mgm/org/users/:userId',
  summary: 'Removes a member. Their recorded activity is kept.',
  scope: 'organization',
  permission: 'update:org',
  params: ofMember,
  changes: ['orgMembers'],
  response: z.object({ deleted: z.literal(true) }),
  errors: ['conflict', 'sole_owner'],
});
