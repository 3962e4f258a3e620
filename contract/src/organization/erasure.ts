import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { commaList, instant, text } from '../core/text.ts';

/** Who it goes back to: the person themself, whom an owner answers; an owner; whoever runs the server. */
export const erasureBases = ['person', 'owner', 'operator'] as const;
export type ErasureBasis = (typeof erasureBases)[number];

export const erasureStates = ['requested', 'withdrawn', 'refused', 'running', 'done'] as const;
export type ErasureState = (typeof erasureStates)[number];

const somebody = z.object({ userId: z.string(), name: z.string() });

export const erasure = z.object({
  id: z.string(),
  state: z.enum(erasureStates),
  basis: z.enum(erasureBases),
  /** The opaque id stays for ever; name and address are null from the moment they are erased. */
  person: z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() }),
  requestedAt: instant,
  requestedBy: somebody.nullable(),
  decidedAt: instant.nullable(),
  decidedBy: somebody.nullable(),
  /** Why it was refused. */
  reason: z.string(),
  /** The account goes too, since no other organisation knows it. */
  accountGoes: z.boolean(),
  /** Places worked through, of how many. */
  progress: z.object({ done: z.number(), total: z.number() }),
  /** How many rows were emptied or changed so far. */
  rows: z.number(),
  finishedAt: instant.nullable(),
});
export type Erasure = z.infer<typeof erasure>;

const owner = { scope: 'organization', permission: 'update:org' } as const;

export const listErasures = endpoint({
  method: 'GET',
  path: '/v2/erasures',
  summary: 'Requests to erase people, and people who were erased, the newest first.',
  ...owner,
  query: pagedQuery(['date-desc', 'date-asc'], { state: commaList(z.enum(erasureStates)) }),
  response: z.array(erasure),
  paged: true,
});
export type ErasuresQuery = z.output<typeof listErasures.query>;

/** A member by their account, or somebody who only committed by their person. */
const subject = z.strictObject({ kind: z.enum(['member', 'person']), id: z.uuid() });

export const erasePerson = endpoint({
  method: 'POST',
  path: '/v2/erasures',
  summary: 'Erases a person for good; `confirm` is their name or address. What happens at once cannot be undone.',
  ...owner,
  body: z.strictObject({ subject, confirm: text(320).trim().min(1) }),
  status: 202,
  response: erasure,
  errors: ['not_found', 'conflict', 'sole_owner'],
  stepUp: true,
});

export const decideErasure = endpoint({
  method: 'POST',
  path: '/v2/erasures/:erasureId/decision',
  summary: 'Carries out what a person asked for, or refuses it with a reason. Nobody decides about themself.',
  ...owner,
  params: z.strictObject({ erasureId: z.uuid() }),
  body: z.discriminatedUnion('decision', [
    z.strictObject({ decision: z.literal('carry_out'), confirm: text(320).trim().min(1) }),
    z.strictObject({ decision: z.literal('refuse'), reason: text(2000).trim().min(10) }),
  ]),
  response: erasure,
  errors: ['not_found', 'conflict', 'sole_owner'],
  stepUp: true,
});

export const requestOwnErasure = endpoint({
  method: 'POST',
  path: '/v2/me/erasure',
  summary:
    'Asks for everything recorded about the asking person to be erased; an Account Owner answers. Asking again asks once.',
  scope: 'organization',
  permission: 'read:org',
  status: 202,
  response: erasure,
  errors: ['sole_owner'],
  stepUp: true,
});

export const withdrawOwnErasure = endpoint({
  method: 'DELETE',
  path: '/v2/me/erasure',
  summary: 'Takes back what the asking person asked for, as long as nobody answered.',
  scope: 'organization',
  permission: 'read:org',
  response: erasure,
  errors: ['not_found'],
});
