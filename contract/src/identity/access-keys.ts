import { z } from 'zod';
import { accessKeyUses, organizationKeyUses, personalKeyUses } from '../core/access-key-uses.ts';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { boundedText, timestamp } from '../core/text.ts';

/** Prefix of every access key, so that secret scanners recognize a leaked one. */
export const accessKeyPrefix = 'sightline_';

export const accessKey = z.object({
  id: z.string(),
  name: z.string(),
  use: z.enum(accessKeyUses),
  /** The only repository that the key is valid for; null: every enabled repository, or the use has none. */
  repository: z.object({ id: z.string(), fullName: z.string() }).nullable(),
  /** Created by a member for their own agents. It ends with the membership. */
  isPersonal: z.boolean(),
  /** The last characters of the key, for identification. */
  keyEnd: z.string(),
  state: z.enum(['active', 'expired', 'revoked']),
  createdBy: z.object({ id: z.string(), name: z.string() }),
  createdAt: timestamp,
  /** Rounded to the minute. */
  lastUsedAt: timestamp.nullable(),
  expiresAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
});
export type AccessKey = z.infer<typeof accessKey>;

const owner = { scope: 'organization', permission: 'manage:integrations', flag: 'vulnerabilities' } as const;

export const listAccessKeys = endpoint({
  method: 'GET',
  path: '/v2/access-keys',
  summary: 'Lists the access keys of the organization, without their values.',
  ...owner,
  reads: true,
  query: pagedQuery(['date-desc', 'date-asc', 'name-asc', 'name-desc'], {}),
  topics: ['orgSettings'],
  response: z.array(accessKey),
  paged: true,
});
export const exportAccessKeys = csvExportOf(listAccessKeys);

/** Selectable lifetimes of a new key in days. */
export const accessKeyLifetimeDays = [30, 90, 365] as const;

export const createAccessKey = endpoint({
  method: 'POST',
  path: '/v2/access-keys',
  summary: 'Creates an access key for builds, readers of the ledger, or agent telemetry. Its value is returned once.',
  ...owner,
  body: z.strictObject({
    name: boundedText(80).trim().min(1, { error: 'is needed' }),
    use: z.enum(organizationKeyUses).default('sarif'),
    /** Only for `sarif`. */
    repositoryId: z.uuid().nullable().default(null),
    /** Days until it expires; null: never. */
    days: z.int().min(1).max(3650).nullable().default(null),
  }),
  status: 201,
  changes: ['orgSettings'],
  response: z.object({ key: z.string(), accessKey }),
  errors: ['conflict'],
  stepUp: true,
});

export const revokeAccessKey = endpoint({
  method: 'DELETE',
  path: '/v2/access-keys/:accessKeyId',
  summary: 'Revokes an access key permanently.',
  ...owner,
  params: z.strictObject({ accessKeyId: z.uuid() }),
  status: 204,
  changes: ['orgSettings'],
  response: z.null(),
});

/** Every member manages the keys for their own agents. */
const member = { scope: 'organization', permission: 'read:events' } as const;

export const listPersonalKeys = endpoint({
  method: 'GET',
  path: '/v2/me/access-keys',
  summary: 'Lists the active access keys of the requesting member.',
  ...member,
  topics: ['orgSettings'],
  response: z.array(accessKey),
});

/** The maximum number of active personal keys of a member. */
export const MAX_PERSONAL_KEYS = 10;
/** Days until a personal key for MCP expires, since it reads what its member may read. */
export const MCP_KEY_DAYS = 90;

export const createPersonalKey = endpoint({
  method: 'POST',
  path: '/v2/me/access-keys',
  summary:
    'Creates an access key for an agent of the requesting member: for telemetry, or for MCP. Its value is returned once.',
  ...member,
  body: z.strictObject({
    name: boundedText(80).trim().min(1, { error: 'is needed' }),
    use: z.enum(personalKeyUses).default('telemetry'),
  }),
  status: 201,
  changes: ['orgSettings'],
  response: z.object({ key: z.string(), accessKey }),
  errors: ['conflict'],
  stepUp: true,
});

export const revokePersonalKey = endpoint({
  method: 'DELETE',
  path: '/v2/me/access-keys/:accessKeyId',
  summary: 'Revokes an access key of the requesting member permanently.',
  ...member,
  params: z.strictObject({ accessKeyId: z.uuid() }),
  status: 204,
  changes: ['orgSettings'],
  response: z.null(),
});
