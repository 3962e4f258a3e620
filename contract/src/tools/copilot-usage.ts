import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { period, periodEnds } from '../core/periods.ts';
import { boundedText, timestamp } from '../core/text.ts';

/** What GitHub counts of Copilot by feature, model and editor. Lines are those of suggestions and of changes. */
export const copilotActivities = [
  'interactions',
  'generations',
  'acceptances',
  'linesSuggested',
  'linesSuggestedToDelete',
  'linesAdded',
  'linesDeleted',
] as const;
export type CopilotActivity = (typeof copilotActivities)[number];

/** Accounts with activity: of the day, of the last 7 days, and of the calendar month until the day. */
const copilotUsers = [
  'dailyUsers',
  'weeklyUsers',
  'monthlyUsers',
  'monthlyChatUsers',
  'monthlyAgentUsers',
  'dailyCliUsers',
] as const;

const copilotPullRequests = ['pullRequestsCreated', 'pullRequestsMerged', 'pullRequestsReviewed'] as const;

/** All counts of a day. */
export const copilotCounts = [...copilotUsers, ...copilotActivities, ...copilotPullRequests] as const;
export type CopilotCount = (typeof copilotCounts)[number];

/** A count that GitHub did not report is missing, not zero. */
const counts = z.partialRecord(z.enum(copilotCounts), z.number());
export type CopilotCounts = z.infer<typeof counts>;
const activities = z.partialRecord(z.enum(copilotActivities), z.number());
export type CopilotActivities = z.infer<typeof activities>;

/**
 * `read`: all offered reports were read; `no_reports`: GitHub offers none; `not_permitted`: the app lacks the permission, or a
 * policy turns the metrics off; `limited`: GitHub limits requests; `failed`: the rest is read later.
 */
const copilotSourceStates = ['read', 'no_reports', 'not_permitted', 'limited', 'failed'] as const;
export type CopilotSourceState = (typeof copilotSourceStates)[number];

const source = z.object({
  /** The ID of the installation. */
  id: z.string(),
  /** The login of the organization on GitHub. */
  account: z.string(),
  /** Null before the first reading. */
  state: z.enum(copilotSourceStates).nullable(),
  /** What GitHub answered, or why the reading failed. */
  reason: z.string().nullable(),
  checkedAt: timestamp.nullable(),
  /** The page on GitHub on which its owner reviews the permissions of the app. */
  settingsURL: z.string(),
});
export type CopilotSource = z.infer<typeof source>;

/** Only for roles that see the sessions of all members. */
const reader = { scope: 'organization', permission: 'read:events' } as const;
const filter = z.strictObject({
  /** An ID of `sources`; the first one by default. */
  source: boundedText(100).optional(),
  /** The last 90 days by default. */
  period: period.optional(),
});
export type CopilotUsageQuery = z.output<typeof filter>;

export const getCopilotUsage = endpoint({
  method: 'GET',
  path: '/v2/copilot-usage',
  summary: 'Returns the usage of GitHub Copilot by day, model, feature and editor, as GitHub reports it.',
  ...reader,
  query: filter,
  topics: ['orgAgents', 'orgIntegrations'],
  response: z.object({
    /** The connected GitHub organizations, by name. */
    sources: z.array(source),
    /** The ID of the source that the rest is about; null without one. */
    source: z.string().nullable(),
    period: periodEnds,
    /** The days with a report, oldest first. */
    days: z.array(
      z.object({
        day: z.iso.date(),
        counts,
        /** Records and parts of records that were not understood, and are in no count. */
        rejected: z.number().int(),
        /** The ledger entry that contains the digest of the report. */
        entryId: z.string(),
      }),
    ),
    /** Sums of the period, by model and feature. GitHub omits some activity here, so that they may be below the total. */
    byModel: z.array(z.object({ model: z.string(), feature: z.string(), counts: activities })),
    byFeature: z.array(z.object({ feature: z.string(), counts: activities })),
    byEditor: z.array(z.object({ editor: z.string(), counts: activities })),
  }),
  errors: ['not_found'],
});
export type CopilotUsage = z.output<typeof getCopilotUsage.response>;

export const exportCopilotUsage = endpoint({
  method: 'GET',
  path: '/v2/copilot-usage/export',
  summary: 'Exports the usage of GitHub Copilot by day as CSV. The export is recorded in the audit log.',
  ...reader,
  query: filter,
  response: z.string(),
  file: ['text/csv'],
  cost: 'export',
  errors: ['not_found'],
});

export const readCopilotUsage = endpoint({
  method: 'POST',
  path: '/v2/copilot-usage/readings',
  summary: 'Starts to read the missing reports of GitHub Copilot now, instead of with the next daily reading.',
  scope: 'organization',
  permission: 'manage:integrations',
  status: 202,
  changes: ['orgAgents'],
  response: z.null(),
});
