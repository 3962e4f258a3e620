import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { provider } from '../core/providers.ts';
import { severity } from '../core/severities.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';
import { findingWaiverState } from './findings.ts';
import { MIN_WAIVER_REASON_LENGTH } from './triage.ts';

/** Days before its end from which a waiver is about to expire. */
export const WAIVER_EXPIRY_NOTICE_DAYS = 14;

/** Controls whose waivers are requested and listed on the page of a vulnerability. */
export const findingControls = ['VUL-01', 'VUL-02'] as const;

const person = z.object({ id: z.string(), name: z.string() });

/** A time-limited waiver for a row of a control's population, or for a vulnerability. */
export const waiverListItem = z.object({
  id: z.string(),
  control: controlId,
  /** The subject of the evaluated row, or the ID of the vulnerability. */
  subject: z.string(),
  /** Null: the waiver is for a row of a control's population. */
  finding: z.object({ id: z.string(), title: z.string(), severity }).nullable(),
  /** Null without a repository. */
  repository: z.object({ id: z.string(), fullName: z.string(), provider }).nullable(),
  reason: z.string(),
  state: findingWaiverState,
  requestedBy: person,
  requestedAt: timestamp,
  until: timestamp,
  decidedBy: person.nullable(),
  decidedAt: timestamp.nullable(),
  /** The comment of the approver. */
  decision: z.string(),
  /** The actions of the requesting member. `decide` is never true for their own request. */
  allowed: z.object({ decide: z.boolean(), withdraw: z.boolean(), end: z.boolean() }),
});
export type WaiverListItem = z.infer<typeof waiverListItem>;

const asking = { scope: 'organization', permission: 'write:findings' } as const;
const params = z.strictObject({ exceptionId: z.uuid() });

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
  response: z.array(waiverListItem),
  paged: true,
});
export type WaiversQuery = z.output<typeof listWaivers.query>;

export const requestWaiver = endpoint({
  method: 'POST',
  path: '/v2/waivers',
  summary: 'Requests a time-limited waiver of a control. Another person must approve it.',
  ...asking,
  body: z.strictObject({
    control: controlId,
    /** The subject of a row in the newest run of the control. */
    subject: boundedText(500).min(1),
    reason: boundedText(2000)
      .trim()
      .min(MIN_WAIVER_REASON_LENGTH, { error: `must be a reason of at least ${MIN_WAIVER_REASON_LENGTH} characters` }),
    until: timestamp,
  }),
  status: 201,
  response: z.object({ id: z.string() }),
  errors: ['not_found', 'conflict'],
});

export const decideWaiver = endpoint({
  method: 'POST',
  path: '/v2/waivers/:exceptionId/decision',
  summary: 'Approves or denies a control waiver that another person requested.',
  scope: 'organization',
  permission: 'approve:exceptions',
  params,
  body: z.strictObject({ approve: z.boolean(), comment: boundedText(2000).trim().default('') }),
  status: 204,
  response: z.null(),
  errors: ['conflict'],
});

export const withdrawWaiver = endpoint({
  method: 'DELETE',
  path: '/v2/waivers/:exceptionId',
  summary: 'Withdraws a waiver request of the caller, or revokes an active waiver.',
  scope: 'organization',
  permission: ['write:findings', 'approve:exceptions'],
  params,
  status: 204,
  response: z.null(),
  errors: ['conflict'],
});
