import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText, timestamp } from '../core/text.ts';
import { extensionPause, extensionSides, extensionType } from '../identity/extensions.ts';

/**
 * Milliseconds after the last heartbeat for which an extension without a socket is connected. It tolerates two lost
 * heartbeats.
 */
export const HEARTBEAT_VALID_FOR_MS = 10 * 60_000;
/** Heartbeat interval of an extension without a socket in milliseconds. */
export const HEARTBEAT_INTERVAL_MS = 4 * 60_000;

export const connectivity = z.enum(['connected', 'disconnected']);

/** Both extensions of one person. Timestamps: last seen. Type: the last seen program. */
export const extensionStatus = z.object({
  browser_status: connectivity,
  browser_timestamp: timestamp.nullable(),
  browser_type: z.string().nullable(),
  /** Present only while paused: the extension records nothing and is not connected. */
  browser_paused: extensionPause.optional(),
  ide_status: connectivity,
  ide_timestamp: timestamp.nullable(),
  ide_type: z.string().nullable(),
  ide_paused: extensionPause.optional(),
});
export type ExtensionStatus = z.infer<typeof extensionStatus>;

/** The status of a person without extensions. */
export const neverConnected: ExtensionStatus = {
  browser_status: 'disconnected',
  browser_timestamp: null,
  browser_type: null,
  ide_status: 'disconnected',
  ide_timestamp: null,
  ide_type: null,
};

/** A repository open in the editor, called project in spec 7. */
const project = z.object({ repositoryId: z.string(), fullName: z.string(), branch: z.string().nullable() });

/** A window of an editor or a profile of a browser. */
export const extensionSession = z.strictObject({
  side: z.enum(extensionSides),
  sessionId: z.uuid(),
  type: extensionType,
  version: boundedText(40),
});
export type ExtensionSession = z.infer<typeof extensionSession>;

export const sendHeartbeat = endpoint({
  method: 'POST',
  path: '/v2/user/heartbeat',
  summary: 'Heartbeat of an extension. `leaving` reports that its window closes, `paused` that the person paused it.',
  scope: 'organization',
  permission: 'read:org',
  extension: true,
  whileArchived: true,
  body: extensionSession.extend({
    leaving: z.boolean().default(false),
    /** `until` null: until resumed. */
    paused: z.strictObject({ until: timestamp.nullable() }).optional(),
  }),
  status: 204,
  response: z.null(),
});

export const getExtensionStatus = endpoint({
  method: 'GET',
  path: '/v2/user/ext-status',
  summary: 'Returns whether the browser and editor extensions of the caller are connected.',
  scope: 'account',
  extension: true,
  polled: true,
  response: extensionStatus,
});

/** Open pages poll it every 5 seconds (spec 4), so it returns only frequently changing data. */
export const getUserStatus = endpoint({
  method: 'GET',
  path: '/v2/user/status',
  summary: 'Returns the connection state of the caller: both extensions and the open project of the editor.',
  scope: 'account',
  extension: true,
  polled: true,
  response: extensionStatus.extend({
    /** Whether the connected editor is VS Code itself, not a fork. */
    vscode: z.boolean(),
    currentProject: project.nullable(),
  }),
});
export type UserStatus = z.infer<typeof getUserStatus.response>;

export const listMembersExtensionStatus = endpoint({
  method: 'GET',
  path: '/v2/auth0mgm/org/members/ext-status',
  summary: 'Lists the connection states of the extensions of all members.',
  scope: 'organization',
  permission: 'read:org-members',
  polled: true,
  response: z.array(extensionStatus.extend({ user_id: z.string() })),
});

/** Why a socket request failed. A missing response within 10 s is a failure too. */
export interface SocketRefusal {
  error: { code: string; message: string };
}

/** The context that an editor sends to `/ide/context`; the response is the context for Explore. */
export const editorContext = z.strictObject({
  workspace: boundedText(200).default(''),
  /** URL of the git remote; only host and path are stored. */
  repo: boundedText(500).nullable().default(null),
  branch: boundedText(300).nullable().default(null),
  /** Path inside the repository, with `/`. Sent only to open Explore for a file, since each becomes a context. */
  file: boundedText(500).nullable().default(null),
});
export type EditorContext = z.infer<typeof editorContext>;
const openedContext = z.object({
  contextId: z.string().nullable(),
  repository: z.object({ id: z.string(), fullName: z.string() }).nullable(),
});
export type OpenedContext = z.infer<typeof openedContext>;
export type EditorContextResponse = OpenedContext | SocketRefusal;

export const openContext = endpoint({
  method: 'POST',
  path: '/v2/events/explore/context',
  summary: 'Returns the context that opens Explore for a repository or file, for editors without a socket.',
  scope: 'organization',
  permission: 'read:events',
  flag: 'release2',
  extension: true,
  // The server stores the query, so that a URL can refer to it.
  reads: true,
  body: editorContext,
  response: openedContext,
});
