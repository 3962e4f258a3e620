import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { provider } from '../core/providers.ts';
import { severity } from '../core/severities.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';
import { triageIds, triageOutcome } from './triage.ts';

/** Maximum duration of a waiver in days. */
export const MAX_WAIVER_DAYS = 180;
/** Minimum length of the reason for a waiver in characters. */
export const MIN_WAIVER_REASON_LENGTH = 10;
/** Days before its end from which a waiver is about to expire. */
export const WAIVER_EXPIRY_NOTICE_DAYS = 14;

/** Controls whose waivers are requested and listed on the page of a vulnerability. */
export const findingControls = ['VUL-01', 'VUL-02'] as const;

/** Whether `until` is a permitted end of a waiver: in the future, within the maximum duration. */
export const isValidWaiverEnd = (until: Date, now: Date): boolean =>
  until > now && until.getTime() <= now.getTime() + MAX_WAIVER_DAYS * 86_400_000;

/** The state of a waiver. Only `approved` is in force; `requested` awaits the decision of another member. */
export const waiverState = z.enum(['requested', 'approved', 'refused', 'withdrawn', 'expired']);
export type WaiverState = z.infer<typeof waiverState>;

const person = z.object({ id: z.string(), name: z.string() });

export const waiver = z.object({
  id: z.string(),
  state: waiverState,
  reason: z.string(),
  requestedBy: person,
  requestedAt: timestamp,
  until: timestamp,
  decidedBy: person.nullable(),
  decidedAt: timestamp.nullable(),
  /** The comment of the approver. */
  decision: z.string(),
});

export type Waiver = z.infer<typeof waiver>;

/** A waiver with the actions of the requesting member. `decide` is never true for their own request. */
export const waiverWithActions = waiver.extend({
  allowed: z.object({ decide: z.boolean(), withdraw: z.boolean(), revoke: z.boolean() }),
});
export type WaiverWithActions = z.infer<typeof waiverWithActions>;

/** A time-limited waiver for an item of a control's population, or for a vulnerability. */
export const waiverListItem = waiverWithActions.extend({
  control: controlId,
  /** The subject of the evaluated item, or the ID of the vulnerability. */
  subject: z.string(),
  /** Null: the waiver is for an item of a control's population. */
  finding: z.object({ id: z.string(), title: z.string(), severity }).nullable(),
  /** Null without a repository. */
  repository: z.object({ id: z.string(), fullName: z.string(), provider }).nullable(),
});
export type WaiverListItem = z.infer<typeof waiverListItem>;

const params = z.strictObject({ waiverId: z.uuid() });
const reason = boundedText(2000)
  .trim()
  .min(MIN_WAIVER_REASON_LENGTH, { error: `must be a reason of at least ${MIN_WAIVER_REASON_LENGTH} characters` });
const changes = ['orgWaivers', 'orgFindings'] as const;

export const listWaivers = endpoint({
  method: 'GET',
  path: '/v2/waivers',
  summary: 'Lists waivers of controls and vulnerabilities: pending, expiring soon, or decided.',
  scope: 'organization',
  permission: 'read:policies-status',
  query: pagedQuery(['requested-desc', 'requested-asc', 'until-asc', 'until-desc'], {
    /** `open`: awaits a decision. `expiring`: in force and expires within two weeks. `decided`: all others. */
    view: z.enum(['open', 'decided', 'expiring']).default('open'),
    controls: commaList(controlId),
  }),
  topics: ['orgWaivers', 'orgFindings'],
  response: z.array(waiverListItem),
  paged: true,
});
export const exportWaivers = csvExportOf(listWaivers);
export type WaiversQuery = z.output<typeof listWaivers.query>;

export const requestWaiver = endpoint({
  method: 'POST',
  path: '/v2/waivers',
  summary: 'Requests a time-limited waiver of a control. Another person must approve it.',
  scope: 'organization',
  permission: 'write:findings',
  body: z.strictObject({
    control: controlId,
    /** The subject of an item in the newest run of the control. */
    subject: boundedText(500).min(1),
    reason,
    until: timestamp,
  }),
  status: 201,
  changes,
  response: z.object({ id: z.string() }),
  errors: ['not_found', 'conflict'],
});

export const requestFindingWaivers = endpoint({
  method: 'POST',
  path: '/v2/vulnerabilities/waivers',
  summary: 'Requests a time-limited waiver for each of these vulnerabilities. Another person must approve them.',
  scope: 'organization',
  permission: 'write:findings',
  flag: 'vulnerabilities',
  body: z.strictObject({ ids: triageIds, reason, until: timestamp }),
  changes,
  response: triageOutcome,
});

export const decideWaiver = endpoint({
  method: 'POST',
  path: '/v2/waivers/:waiverId/decision',
  summary: 'Approves or denies a waiver that another person requested.',
  scope: 'organization',
  permission: 'approve:exceptions',
  params,
  body: z.strictObject({ approve: z.boolean(), comment: boundedText(2000).trim().default('') }),
  status: 204,
  changes,
  response: z.null(),
  errors: ['conflict'],
});

export const withdrawWaiver = endpoint({
  method: 'DELETE',
  path: '/v2/waivers/:waiverId',
  summary: 'Withdraws a waiver request of the caller, or revokes an active waiver.',
  scope: 'organization',
  permission: ['write:findings', 'approve:exceptions'],
  params,
  status: 204,
  changes,
  response: z.null(),
  errors: ['conflict'],
});
