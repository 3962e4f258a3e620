import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { commaList, timestamp } from '../core/text.ts';
import { accessHolder, accessParts, accessRoute, holderKind, hostPermission } from '../sources/host-access.ts';

/** What the holder of access can do: a person who can do several of these can act without another person. */
export const duties = ['write', 'approve', 'bypass', 'administer', 'waive'] as const;
export type Duty = (typeof duties)[number];
const hasDuty = z.enum(['yes', 'no', 'unknown']);

/** The access of a holder to a repository on its code host. */
export const hostAccessItem = z.object({
  holder: accessHolder,
  repository: z.object({ id: z.string(), fullName: z.string() }),
  permission: hostPermission,
  routes: z.array(accessRoute),
  /** Of the reading that first showed the access in this form. */
  since: timestamp,
  /** Whether the account belongs to an active member at that time; null for teams, deploy keys and apps. */
  isMember: z.boolean().nullable(),
  duties: z.object({ write: hasDuty, approve: hasDuty, bypass: hasDuty, administer: hasDuty, waive: hasDuty }),
});
export type HostAccessItem = z.infer<typeof hostAccessItem>;

const reading = { scope: 'organization', permission: 'read:evidence' } as const;
/** The access at this time; by default now. */
const at = timestamp.optional();

export const listHostAccess = endpoint({
  method: 'GET',
  path: '/v2/host-access',
  summary: 'Lists who and what has access to repositories on their code hosts, as of a time.',
  ...reading,
  query: pagedQuery(
    ['name-asc', 'name-desc', 'repository-asc', 'repository-desc', 'permission-desc', 'permission-asc'],
    {
      at,
      repository: z.uuid().optional(),
      kind: commaList(holderKind),
      permission: commaList(hostPermission),
      /** Only holders with all of these duties. */
      duty: commaList(z.enum(duties)),
      /** Only accounts of active members, or only other holders. */
      member: z.enum(['yes', 'no']).optional(),
    },
  ),
  topics: ['orgEvidence', 'orgMembers', 'orgRepos'],
  response: z.array(hostAccessItem),
  paged: true,
});
export type HostAccessQuery = z.output<typeof listHostAccess.query>;

export const exportHostAccess = csvExportOf(listHostAccess);

export const getHostAccessStatus = endpoint({
  method: 'GET',
  path: '/v2/host-access/status',
  summary: 'Returns the enabled repositories whose access is not completely known, as of a time.',
  ...reading,
  query: z.strictObject({ at }),
  topics: ['orgEvidence', 'orgRepos'],
  response: z.object({
    /** Number of enabled repositories. */
    repositories: z.number().int(),
    /** Number of those whose access is not completely known. */
    incomplete: z.number().int(),
    /** The first 20 of them. `readAt`: of the last reading, null without one. `missing`: the parts that the host denied. */
    examples: z.array(
      z.object({
        id: z.string(),
        fullName: z.string(),
        readAt: timestamp.nullable(),
        isTooOld: z.boolean(),
        missing: z.array(z.enum(accessParts)),
      }),
    ),
  }),
});
export type HostAccessStatus = z.infer<typeof getHostAccessStatus.response>;
