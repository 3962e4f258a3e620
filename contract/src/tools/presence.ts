import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { instant, text } from '../core/text.ts';
import { extensionPause, extensionSides, extensionType } from '../identity/extensions.ts';

/** Without a socket an extension counts as connected for so long after its last heartbeat: two of them may get lost. */
export const heartbeatGoodForMs = 10 * 60_000;
/** How often an extension without a socket reports. */
export const heartbeatEveryMs = 4 * 60_000;

export const connectivity = z.enum(['connected', 'disconnected']);

/** Both sides of one person. Timestamps: when the side was last seen; type: the program seen last. */
export const extensionStatus = z.object({
  browser_status: connectivity,
  browser_timestamp: instant.nullable(),
  browser_type: z.string().nullable(),
  /** Only while it is paused: nothing is recorded, and it is not connected. */
  browser_paused: extensionPause.optional(),
  ide_status: connectivity,
  ide_timestamp: instant.nullable(),
  ide_type: z.string().nullable(),
  ide_paused: extensionPause.optional(),
});
export type ExtensionStatus = z.infer<typeof extensionStatus>;

/** Of a person of whom no extension was ever connected. */
export const neverConnected: ExtensionStatus = {
  browser_status: 'disconnected',
  browser_timestamp: null,
  browser_type: null,
  ide_status: 'disconnected',
  ide_timestamp: null,
  ide_type: null,
};

/** A repository that is open in the editor: what spec 7 calls a project. */
const project = z.object({ repositoryId: z.string(), fullName: z.string(), branch: z.string().nullable() });

/** A window of an editor or a profile of a browser. */
export const extensionSession = z.strictObject({
  side: z.enum(extensionSides),
  sessionId: z.uuid(),
  type: extensionType,
  version: text(40),
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
    /** `until` null: until it is resumed. */
    paused: z.strictObject({ until: instant.nullable() }).optional(),
  }),
  status: 204,
  changes: [],
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

/** Polled every 5 seconds by open pages (spec 4), so it says no more than what can change that often. */
export const getUserStatus = endpoint({
  method: 'GET',
  path: '/v2/user/status',
  summary: 'Returns the connection state of the caller: both extensions and the open project of the editor.',
  scope: 'account',
  extension: true,
  polled: true,
  topics: ['userStatus'],
  response: extensionStatus.extend({
    /** Whether an editor that is connected is VS Code itself, and no other made of it. */
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

/** Why a question on a socket got no answer. None within 10 s is a failure too. */
export interface SocketRefusal {
  error: { code: string; message: string };
}

/** What an editor tells on `/ide/context` and is answered: the context to open Explore with. */
export const editorContext = z.strictObject({
  workspace: text(200).default(''),
  /** Address of the git remote; anything but host and path is dropped. */
  repo: text(500).nullable().default(null),
  branch: text(300).nullable().default(null),
  /** Path inside the repository, with `/`: only where Explore is to open on that file, since each becomes a context. */
  file: text(500).nullable().default(null),
});
export type EditorContext = z.infer<typeof editorContext>;
const openedContext = z.object({
  contextId: z.string().nullable(),
  repository: z.object({ id: z.string(), fullName: z.string() }).nullable(),
});
export type OpenedContext = z.infer<typeof openedContext>;
export type EditorContextAnswer = OpenedContext | SocketRefusal;

export const openContext = endpoint({
  method: 'POST',
  path: '/v2/events/explore/context',
  summary: 'Returns the context that opens Explore for a repository or file, for editors without a socket.',
  scope: 'organization',
  permission: 'read:events',
  flag: 'release2',
  extension: true,
  // What is kept is the question itself, so that a link can name it.
  reads: true,
  body: editorContext,
  response: openedContext,
});
