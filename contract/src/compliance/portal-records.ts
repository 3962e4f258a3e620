import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { ofSnapshot, portalScope } from './auditor-portals.ts';
import { portalPerson } from './portal-changes.ts';

/** What a bundle contains besides the items of controls. `definitions`: the versions of the parameters of controls. */
export const portalRecordKinds = ['policies', 'waivers', 'remediations', 'digests', 'gaps', 'definitions'] as const;
export const portalRecordKind = z.enum(portalRecordKinds);
export type PortalRecordKind = z.infer<typeof portalRecordKind>;

const portalRecord = z.object({
  /** Unique within its kind. */
  key: z.string(),
  title: z.string(),
  /** The state in words. */
  state: z.string(),
  facts: z.array(z.object({ label: z.string(), text: z.string() })),
  /** What was done, each proven by a ledger entry. `by` null: the scheduler or the operator. */
  actions: z.array(
    z.object({ done: z.string(), at: z.string(), by: portalPerson.nullable(), entry: z.number().int() }),
  ),
});
export type PortalRecord = z.infer<typeof portalRecord>;

export const listPortalRecords = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/snapshots/:snapshotId/records/:kind',
  summary:
    'Lists policies, waivers, remediations, digests, missing evidence, or versions of control parameters as in the bundle.',
  ...portalScope,
  params: ofSnapshot.extend({ kind: portalRecordKind }),
  query: pagedQuery(['position-asc', 'position-desc'], {}),
  response: z.array(portalRecord),
  paged: true,
  errors: ['conflict'],
});
