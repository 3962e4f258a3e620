import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { provider } from '../core/providers.ts';
import { severity } from '../core/severities.ts';
import { commaList, instant, text } from '../core/text.ts';
import { exceptionState } from './findings.ts';
import { shortestReason } from './triage.ts';

/** An exception is about to end this many days before it does. */
export const endsSoonDays = 14;

/** Controls whose exceptions are asked for on the page of a vulnerability, and stand with it. */
export const controlsOfFindings = ['VUL-01', 'VUL-02'] as const;

const person = z.object({ id: z.string(), name: z.string() });

/** Leave to break a control for a time, be it of one row of its population or of a vulnerability. */
export const listedLeave = z.object({
  id: z.string(),
  control: controlId,
  /** Of the row that the control evaluates; of a vulnerability its id. */
  subject: z.string(),
  /** Null: of a row of a control's population. */
  finding: z.object({ id: z.string(), title: z.string(), severity }).nullable(),
  /** Null where it is about none. */
  repository: z.object({ id: z.string(), fullName: z.string(), provider }).nullable(),
  reason: z.string(),
  state: exceptionState,
  requestedBy: person,
  requestedAt: instant,
  until: instant,
  decidedBy: person.nullable(),
  decidedAt: instant.nullable(),
  /** What whoever decided said about it. */
  decision: z.string(),
  /** What the asking person may do with it. `decide` is never true of one that they asked for. */
  allowed: z.object({ decide: z.boolean(), withdraw: z.boolean(), end: z.boolean() }),
});
export type ListedLeave = z.infer<typeof listedLeave>;

const asking = { scope: 'organization', permission: 'write:findings' } as const;
const params = z.strictObject({ exceptionId: z.uuid() });

export const listLeave = endpoint({
  method: 'GET',
  path: '/v2/waivers',
  summary: 'Lists waivers of controls and vulnerabilities: pending, expiring soon, or decided.',
  scope: 'organization',
  permission: 'read:policies-status',
  query: pagedQuery(['requested-desc', 'requested-asc', 'until-asc', 'until-desc'], {
    /** `open` waits for somebody to decide; `expiring` holds and ends within two weeks; `decided` is everything else. */
    view: z.enum(['open', 'decided', 'expiring']).default('open'),
    controls: commaList(controlId),
  }),
  topics: ['orgFindings', 'orgExceptions'],
  response: z.array(listedLeave),
  paged: true,
});
export type LeaveQuery = z.output<typeof listLeave.query>;

export const requestLeave = endpoint({
  method: 'POST',
  path: '/v2/waivers',
  summary: 'Requests a time-limited waiver of a control. Another person must approve it.',
  ...asking,
  body: z.strictObject({
    control: controlId,
    /** Of a row of the newest run of the control. */
    subject: text(500).min(1),
    reason: text(2000)
      .trim()
      .min(shortestReason, { error: `must be a reason of at least ${shortestReason} characters` }),
    until: instant,
  }),
  status: 201,
  changes: ['orgExceptions', 'orgFindings'],
  response: z.object({ id: z.string() }),
  errors: ['not_found', 'conflict'],
});

export const decideLeave = endpoint({
  method: 'POST',
  path: '/v2/waivers/:exceptionId/decision',
  summary: 'Approves or denies a control waiver that another person requested.',
  scope: 'organization',
  permission: 'approve:exceptions',
  params,
  body: z.strictObject({ approve: z.boolean(), comment: text(2000).trim().default('') }),
  status: 204,
  changes: ['orgExceptions', 'orgFindings'],
  response: z.null(),
  errors: ['conflict'],
});

export const withdrawLeave = endpoint({
  method: 'DELETE',
  path: '/v2/waivers/:exceptionId',
  summary: 'Withdraws a waiver request of the caller, or revokes an active waiver.',
  scope: 'organization',
  permission: ['write:findings', 'approve:exceptions'],
  params,
  status: 204,
  changes: ['orgExceptions', 'orgFindings'],
  response: z.null(),
  errors: ['conflict'],
});
