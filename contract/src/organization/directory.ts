import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { roleIds } from '../core/permissions.ts';
import { boundedText, timestamp } from '../core/text.ts';

/** Where a directory sends users and groups over SCIM 2.0 (RFC 7644). */
export const scimPath = '/scim/v2';

/** The products whose setup the page explains. All of them use the same protocol. */
export const directoryProducts = ['entra', 'okta', 'other'] as const;
export type DirectoryProduct = (typeof directoryProducts)[number];

export const directoryProductNames: Record<DirectoryProduct, string> = {
  entra: 'Microsoft Entra ID',
  okta: 'Okta',
  other: 'Another directory',
};

/** Roles of active users without a mapped group. Ownership is given by a group only. */
export const defaultRoleIds = ['rol_contributor', 'rol_reviewer', 'rol_auditor'] as const;

/** Why the membership of a user differs from what the directory says. */
export const withheldReasons = [
  'address_missing',
  'domain_not_verified',
  'address_taken',
  'last_owner',
  'last_break_glass_owner',
] as const;
export type WithheldReason = (typeof withheldReasons)[number];

export const withheldTexts: Record<WithheldReason, string> = {
  address_missing: 'The directory sent no email address.',
  domain_not_verified: 'The domain of the address is not verified for this organization.',
  address_taken: 'Another user of the directory has the same account.',
  last_owner: 'The only active Account Owner keeps access. Make another member an owner.',
  last_break_glass_owner: 'The only break-glass owner keeps access. Name another one.',
};

/** The hours for which the previous token stays valid after a rotation. */
export const PREVIOUS_TOKEN_HOURS = 24;
/** The maximum numbers of users and of groups of a directory, and of mapped groups. */
export const MAX_DIRECTORY_USERS = 50_000;
export const MAX_DIRECTORY_GROUPS = 5_000;
export const MAX_GROUP_ROLES = 200;

const defaultRole = z.enum(defaultRoleIds).nullable();
const groupRole = z.object({ group: z.string(), roleId: z.enum(roleIds) });
const groupRolesInput = z
  .array(z.strictObject({ group: boundedText(200).trim().min(1), roleId: z.enum(roleIds) }))
  .max(MAX_GROUP_ROLES);

export const directory = z.object({
  product: z.enum(directoryProducts),
  /** The address to enter in the directory. */
  url: z.string(),
  /** The last four characters of the token. */
  tokenEnd: z.string(),
  tokenCreatedAt: timestamp,
  /** Until when the previous token is accepted; null if none is. */
  previousTokenUntil: timestamp.nullable(),
  /** The role of active users without a mapped group; null: no access. */
  defaultRole,
  /** The roles of groups by name, in any case. */
  groupRoles: z.array(groupRole),
  users: z.object({ active: z.number(), inactive: z.number(), withheld: z.number() }),
  groups: z.number(),
  connectedAt: timestamp,
  lastRequestAt: timestamp.nullable(),
  lastChangeAt: timestamp.nullable(),
  /** The last rejected request since the last accepted change; null without one. */
  failure: z.object({ message: z.string(), at: timestamp }).nullable(),
});
export type Directory = z.infer<typeof directory>;

const owner = { scope: 'organization', permission: 'manage:integrations' } as const;

export const getDirectory = endpoint({
  method: 'GET',
  path: '/v2/directory',
  summary: 'Returns the connection of the directory without its token, or null.',
  ...owner,
  reads: true,
  topics: ['orgIntegrations', 'orgMembers'],
  response: directory.nullable(),
});

/** The token is shown only once. */
const withToken = z.object({ token: z.string(), directory });

export const connectDirectory = endpoint({
  method: 'POST',
  path: '/v2/directory',
  summary: 'Connects a directory over SCIM 2.0 and returns its token, which is shown only once.',
  ...owner,
  status: 201,
  body: z.strictObject({ product: z.enum(directoryProducts), defaultRole }),
  changes: ['orgIntegrations'],
  response: withToken,
  errors: ['conflict'],
  stepUp: true,
});

export const updateDirectory = endpoint({
  method: 'PUT',
  path: '/v2/directory',
  summary: 'Changes the default role and the roles of groups. Memberships follow within a minute.',
  ...owner,
  body: z.strictObject({
    defaultRole,
    groupRoles: groupRolesInput,
  }),
  changes: ['orgIntegrations', 'orgMembers'],
  response: directory,
  errors: ['conflict'],
  stepUp: true,
});

const groupRoles = z.object({
  roles: z.array(groupRole),
  /** The label of the required identity provider if it reports groups at sign-ins; null: none does. */
  reportedBy: z.string().nullable(),
});
export type GroupRoles = z.infer<typeof groupRoles>;

export const getGroupRoles = endpoint({
  method: 'GET',
  path: '/v2/group-roles',
  summary: 'Returns the roles that groups of the directory, or of the required identity provider, give.',
  ...owner,
  reads: true,
  topics: ['orgIntegrations', 'orgSettings'],
  response: groupRoles,
});

export const updateGroupRoles = endpoint({
  method: 'PUT',
  path: '/v2/group-roles',
  summary: 'Changes the roles that groups give: those of the directory within a minute, others at the next sign-in.',
  ...owner,
  body: z.strictObject({ roles: groupRolesInput }),
  changes: ['orgIntegrations', 'orgMembers'],
  response: groupRoles,
  stepUp: true,
});

export const rotateDirectoryToken = endpoint({
  method: 'POST',
  path: '/v2/directory/token',
  summary: `Creates a new token. The previous one stays valid for ${PREVIOUS_TOKEN_HOURS} hours, unless it is revoked at once.`,
  ...owner,
  body: z.strictObject({ revokePrevious: z.boolean() }),
  changes: ['orgIntegrations'],
  response: withToken,
  stepUp: true,
});

export const disconnectDirectory = endpoint({
  method: 'DELETE',
  path: '/v2/directory',
  summary: 'Disconnects the directory and deletes its token, users and groups. Members and roles of groups remain.',
  ...owner,
  status: 204,
  changes: ['orgIntegrations', 'orgMembers'],
  response: z.null(),
  stepUp: true,
});

/** The result of a test: what is missing before users can be provisioned, each as a sentence. */
const directoryTest = z.object({ ok: z.boolean(), problems: z.array(z.string()) });

export const testDirectory = endpoint({
  method: 'POST',
  path: '/v2/directory/test',
  summary: 'Checks whether the directory sends requests, and whether its users can become members.',
  ...owner,
  reads: true,
  response: directoryTest,
});

const directoryUser = z.object({
  id: z.string(),
  userName: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  isActive: z.boolean(),
  /** The account of the member; null without one. */
  accountId: z.string().nullable(),
  /** The role that the directory gave; null: no access. */
  roleId: z.enum(roleIds).nullable(),
  groups: z.array(z.string()),
  withheld: z.enum(withheldReasons).nullable(),
  updatedAt: timestamp,
});
export type DirectoryUser = z.infer<typeof directoryUser>;

export const listDirectoryUsers = endpoint({
  method: 'GET',
  path: '/v2/directory/users',
  summary: 'Lists the users of the directory with the access that they have here.',
  ...owner,
  reads: true,
  query: pagedQuery(['withheld-desc', 'name-asc', 'name-desc', 'date-desc', 'date-asc'], {}),
  topics: ['orgIntegrations', 'orgMembers'],
  response: z.array(directoryUser),
  paged: true,
});
export const exportDirectoryUsers = csvExportOf(listDirectoryUsers);

const directoryGroup = z.object({ id: z.string(), name: z.string(), members: z.number() });
export type DirectoryGroup = z.infer<typeof directoryGroup>;

export const listDirectoryGroups = endpoint({
  method: 'GET',
  path: '/v2/directory/groups',
  summary: 'Lists the groups of the directory.',
  ...owner,
  reads: true,
  query: pagedQuery(['name-asc', 'name-desc'], {}),
  topics: ['orgIntegrations'],
  response: z.array(directoryGroup),
  paged: true,
});
