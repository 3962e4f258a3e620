import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';

/** Who initiated it: the person with an owner's approval, an owner, or the operator. */
export const erasureBases = ['person', 'owner', 'operator'] as const;
export type ErasureBasis = (typeof erasureBases)[number];

export const erasureStates = ['requested', 'withdrawn', 'refused', 'running', 'done'] as const;
export type ErasureState = (typeof erasureStates)[number];

const accountRef = z.object({ userId: z.string(), name: z.string() });

export const erasure = z.object({
  id: z.string(),
  state: z.enum(erasureStates),
  basis: z.enum(erasureBases),
  /** The opaque ID is permanent; name and address are null after the erasure. */
  person: z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() }),
  requestedAt: timestamp,
  requestedBy: accountRef.nullable(),
  decidedAt: timestamp.nullable(),
  decidedBy: accountRef.nullable(),
  /** Why the request was refused. */
  reason: z.string(),
  /** Whether the account is deleted too, because no other organization has it. */
  deletesAccount: z.boolean(),
  /** Completed and total steps. */
  progress: z.object({ done: z.number(), total: z.number() }),
  /** Number of rows erased or changed so far. */
  rows: z.number(),
  finishedAt: timestamp.nullable(),
});
export type Erasure = z.infer<typeof erasure>;

const owner = { scope: 'organization', permission: 'update:org' } as const;

export const listErasures = endpoint({
  method: 'GET',
  path: '/v2/erasures',
  summary: 'Lists data deletion requests and completed deletions, newest first.',
  ...owner,
  query: pagedQuery(['date-desc', 'date-asc'], { state: commaList(z.enum(erasureStates)) }),
  topics: ['orgMembers'],
  response: z.array(erasure),
  paged: true,
});
export const exportErasures = csvExportOf(listErasures);
export type ErasuresQuery = z.output<typeof listErasures.query>;

/** A member by account, or a person without an account by person ID. */
const subject = z.strictObject({ kind: z.enum(['member', 'person']), id: z.uuid() });

export const erasePerson = endpoint({
  method: 'POST',
  path: '/v2/erasures',
  summary: 'Deletes the personal data of a person permanently. `confirm` is their name or address.',
  ...owner,
  body: z.strictObject({ subject, confirm: boundedText(320).trim().min(1) }),
  status: 202,
  changes: ['orgMembers'],
  response: erasure,
  errors: ['not_found', 'conflict', 'sole_owner'],
  stepUp: true,
});

export const decideErasure = endpoint({
  method: 'POST',
  path: '/v2/erasures/:erasureId/decision',
  summary: 'Approves a data deletion request, or denies it with a reason. Owners cannot decide on their own request.',
  ...owner,
  params: z.strictObject({ erasureId: z.uuid() }),
  body: z.discriminatedUnion('decision', [
    z.strictObject({ decision: z.literal('carry_out'), confirm: boundedText(320).trim().min(1) }),
    z.strictObject({ decision: z.literal('refuse'), reason: boundedText(2000).trim().min(10) }),
  ]),
  changes: ['orgMembers'],
  response: erasure,
  errors: ['not_found', 'conflict', 'sole_owner'],
  stepUp: true,
});

export const requestOwnErasure = endpoint({
  method: 'POST',
  path: '/v2/me/erasure',
  summary:
    'Requests deletion of all data about the caller. An Account Owner decides on it. Repeated requests have no effect.',
  scope: 'organization',
  permission: 'read:org',
  status: 202,
  changes: ['orgMembers', 'personalData'],
  response: erasure,
  errors: ['sole_owner'],
  stepUp: true,
});

export const withdrawOwnErasure = endpoint({
  method: 'DELETE',
  path: '/v2/me/erasure',
  summary: 'Withdraws a pending data deletion request of the caller.',
  scope: 'organization',
  permission: 'read:org',
  changes: ['orgMembers', 'personalData'],
  response: erasure,
  errors: ['not_found'],
});
