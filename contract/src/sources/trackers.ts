import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText, hostUrl, timestamp } from '../core/text.ts';

/** The issue trackers, as in URLs. */
export const trackerNames = ['jira-cloud', 'jira-data-center', 'linear'] as const;
export const trackerName = z.enum(trackerNames);
export type TrackerName = z.infer<typeof trackerName>;

export const trackerTitles: Record<TrackerName, string> = {
  'jira-cloud': 'Jira Cloud',
  'jira-data-center': 'Jira Data Center',
  linear: 'Linear',
};

/** Maximum number of findings or items for which one request creates tickets. */
export const MAX_TICKET_SUBJECTS = 100;

const ofTracker = z.strictObject({ tracker: trackerName });
const owner = { scope: 'organization', permission: 'manage:integrations' } as const;

/** The form of a connection. Surrounding whitespace is trimmed. */
const connection = z.strictObject({
  /** URL of the site; not for Linear. */
  baseURL: hostUrl.optional(),
  /** Jira Cloud: the address of the account of the API token. */
  email: boundedText(254).trim().optional(),
  token: boundedText(4000).trim().min(1, { error: 'is needed' }),
});

/** The result of a check. A problem has a code for programs and a sentence for users. */
export const trackerCheck = z.object({
  ok: z.boolean(),
  problem: z
    .object({
      code: z.enum(['bad_token', 'no_permission', 'wrong_host', 'unreachable', 'refused_host', 'rate_limited']),
      message: z.string(),
      /** The affected field of the form. */
      field: z.enum(['baseURL', 'email', 'token']).nullable(),
    })
    .nullable(),
  /** Number of projects or teams that the token can read. */
  projects: z.number().nullable(),
});
export type TrackerCheck = z.infer<typeof trackerCheck>;

export const trackerSettings = z.object({
  tracker: trackerName,
  baseURL: z.string(),
  email: z.string().nullable(),
  /** The account of the token at the tracker. */
  account: z.string(),
  /** The last four characters of the token, for identification. */
  tokenEnd: z.string(),
  /** The URL for webhooks of the tracker. */
  webhookURL: z.string(),
  webhook: z.enum(['registered', 'not_registered']),
  projects: z.number(),
  tickets: z.object({
    /** Tickets that pull requests reference or that were created here. */
    known: z.number(),
    /** Of these, tickets that the tracker no longer finds, and that moved to another key. */
    deleted: z.number(),
    moved: z.number(),
    /** Requested tickets that do not exist yet. */
    pending: z.number(),
    failed: z.number(),
  }),
  checkedAt: timestamp.nullable(),
  lastSyncAt: timestamp.nullable(),
});
export type TrackerSettings = z.infer<typeof trackerSettings>;

/** How a tracker is connected, and its connection without the token. */
export const trackerState = z.object({
  tracker: trackerName,
  title: z.string(),
  /** Whether the form asks for a URL, and for an email address. */
  needsURL: z.boolean(),
  needsEmail: z.boolean(),
  /** The page of the sandbox with a token; null without the sandbox. */
  sandboxPage: z.string().nullable(),
  connection: trackerSettings.nullable(),
});
export type TrackerState = z.infer<typeof trackerState>;

export const getTracker = endpoint({
  method: 'GET',
  path: '/v2/integrations/trackers/:tracker',
  summary: 'Returns how an issue tracker is connected, without its token.',
  ...owner,
  params: ofTracker,
  topics: ['orgIntegrations'],
  response: trackerState,
});

export const connectTracker = endpoint({
  method: 'POST',
  path: '/v2/integrations/trackers/:tracker',
  summary: 'Connects an issue tracker, or replaces its token, after testing it.',
  ...owner,
  params: ofTracker,
  body: connection,
  changes: ['orgIntegrations'],
  response: trackerState,
  errors: ['upstream_failed'],
});

export const testTracker = endpoint({
  method: 'POST',
  path: '/v2/integrations/trackers/:tracker/test',
  summary: 'Tests the connection to an issue tracker with the given or the stored token.',
  ...owner,
  reads: true,
  params: ofTracker,
  body: connection.partial(),
  response: trackerCheck,
});

export const syncTracker = endpoint({
  method: 'POST',
  path: '/v2/integrations/trackers/:tracker/sync',
  summary: 'Reads the known tickets of an issue tracker now.',
  ...owner,
  status: 202,
  params: ofTracker,
  changes: ['orgIntegrations'],
  response: trackerState,
  errors: ['conflict'],
});

export const disconnectTracker = endpoint({
  method: 'DELETE',
  path: '/v2/integrations/trackers/:tracker',
  summary: 'Disconnects an issue tracker and deletes its token. Recorded tickets are kept.',
  ...owner,
  status: 204,
  params: ofTracker,
  changes: ['orgIntegrations'],
  response: z.null(),
});

export const listTicketProjects = endpoint({
  method: 'GET',
  path: '/v2/trackers',
  summary: 'Lists the connected issue trackers with the projects in which tickets can be created.',
  scope: 'organization',
  permission: 'write:findings',
  topics: ['orgIntegrations'],
  response: z.array(
    z.object({
      tracker: trackerName,
      title: z.string(),
      projects: z.array(z.object({ key: z.string(), name: z.string(), types: z.array(z.string()) })),
    }),
  ),
});
export type TicketProjects = z.output<typeof listTicketProjects.response>;

/** Where requested tickets are created. `one`: a single ticket for all subjects. */
export const ticketTarget = z.strictObject({
  tracker: trackerName,
  project: boundedText(100).min(1),
  /** Type of the ticket, such as `Bug`; null if the tracker has no types. */
  type: boundedText(100).min(1).nullable(),
  grouping: z.enum(['each', 'one']).default('each'),
});
export type TicketTarget = z.output<typeof ticketTarget>;

export const ticketsRequested = z.object({
  /** Number of tickets that will be created. */
  requested: z.number(),
  /** Subjects that have a ticket already, or whose ticket was requested. */
  skipped: z.number(),
});

export const ticketCategory = z.enum(['todo', 'in_progress', 'done']);
export type TicketCategory = z.infer<typeof ticketCategory>;

/** A ticket as it was last read. */
export const linkedTicket = z.object({
  tracker: trackerName,
  /** Null: requested and not created yet. */
  key: z.string().nullable(),
  url: z.string().nullable(),
  type: z.string().nullable(),
  status: z.string().nullable(),
  category: ticketCategory.nullable(),
  /** `missing`: deleted, or no longer visible to the connection. */
  state: z.enum(['requested', 'failed', 'present', 'missing', 'moved']),
  /** The former key of a moved ticket, or why the ticket could not be created or changed. */
  note: z.string().nullable(),
  checkedAt: timestamp.nullable(),
});
export type LinkedTicket = z.infer<typeof linkedTicket>;
