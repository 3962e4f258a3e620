import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText, timestamp } from '../core/text.ts';

/** The two kinds of extensions (spec 3, extension status). */
export const extensionSides = ['browser', 'ide'] as const;
export type ExtensionSide = (typeof extensionSides)[number];

/** What a person connects: an extension, or an MCP client, which only reads. */
export const connectionSides = [...extensionSides, 'mcp'] as const;

/** The host program of an extension, as in the tool catalog: `vscode`, `cursor`, `chrome`, `firefox`, … */
export const extensionType = boundedText(40).regex(/^[a-z0-9][a-z0-9-]*$/, {
  error: 'must be a short name in lower case',
});

/** The default URL schemes of editors (spec 2.1). The operator can configure others. */
export const editorSchemes = ['vscode', 'vscode-insiders', 'vscodium', 'cursor', 'windsurf', 'code-oss'] as const;
/** The authority of editor links: publisher and name of the editor extension. */
export const editorAuthority = 'sightline.sightline';

const programs: Partial<Record<string, string>> = {
  vscode: 'VS Code',
  'vscode-insiders': 'VS Code Insiders',
  vscodium: 'VSCodium',
  cursor: 'Cursor',
  windsurf: 'Windsurf',
  'code-oss': 'Code - OSS',
  'code-server': 'code-server',
  chrome: 'Chrome',
  firefox: 'Firefox',
  edge: 'Edge',
  brave: 'Brave',
  opera: 'Opera',
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  mcp: 'MCP client',
};
/** The display name of a program. An unknown program keeps its short name. */
export const programName = (type: string): string => programs[type] ?? type;

// PKCE (RFC 7636): 32 random bytes or their SHA-256, as base64url.
const challenge = boundedText(43).regex(/^[\w-]{43}$/, { error: 'must be 43 characters of base64url' });

/** The device of an extension, by which its user recognizes it. */
const deviceFields = {
  side: z.enum(extensionSides),
  type: extensionType,
  /** Name of the machine or profile; empty if the extension cannot determine it. */
  device: boundedText(100).default(''),
};

/**
 * A connected program. An extension may send reports and read its own status only, an MCP client may read what its person
 * may read.
 */
export const extension = z.object({
  id: z.string(),
  side: z.enum(connectionSides),
  type: z.string(),
  /** The machine of an extension; the name that an MCP client gave itself. */
  device: z.string(),
  version: z.string().nullable(),
  organization: z.object({ id: z.string(), displayName: z.string() }),
  createdAt: timestamp,
  /** Rounded to the minute. */
  lastUsedAt: timestamp.nullable(),
});
export type Extension = z.infer<typeof extension>;

export const authorizeExtension = endpoint({
  method: 'POST',
  path: '/v2/extensions/authorize',
  summary: 'Issues a single-use code for the sign-in of an extension, valid for one minute.',
  scope: 'organization',
  permission: 'read:org',
  body: z.strictObject({ ...deviceFields, codeChallenge: challenge }),
  status: 201,
  changes: ['userStatus'],
  response: z.object({ code: z.string(), expiresAt: timestamp }),
});

const signedIn = z.object({
  /** Valid for at most ten minutes. */
  accessToken: z.string(),
  expiresAt: timestamp,
  account: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  organization: z.object({ id: z.string(), displayName: z.string() }),
});
export type ExtensionSignIn = z.infer<typeof signedIn>;

export const redeemExtensionCode = endpoint({
  method: 'POST',
  path: '/v2/extensions/token',
  summary: 'Signs in an extension with its code and PKCE verifier.',
  scope: 'public',
  body: z.strictObject({ code: boundedText(200), codeVerifier: challenge, version: boundedText(40).optional() }),
  response: signedIn.extend({ refreshToken: z.string() }),
  errors: ['unauthenticated'],
});

const refreshToken = boundedText(200);

export const renewExtensionToken = endpoint({
  method: 'POST',
  path: '/v2/extensions/token/renew',
  summary:
    'Issues the next access token of an extension. The refresh token stays valid, because several windows share it.',
  scope: 'public',
  body: z.strictObject({ refreshToken, version: boundedText(40).optional() }),
  response: signedIn,
  errors: ['unauthenticated'],
});

export const revokeExtensionToken = endpoint({
  method: 'POST',
  path: '/v2/extensions/token/revoke',
  summary: 'Signs out an extension. The response does not reveal whether the token exists.',
  scope: 'public',
  body: z.strictObject({ refreshToken }),
  status: 204,
  response: z.null(),
});

export const listExtensions = endpoint({
  method: 'GET',
  path: '/v2/extensions',
  summary: 'Lists the connected extensions and MCP clients of the caller in all organizations, last used first.',
  scope: 'account',
  topics: ['userStatus'],
  response: z.array(extension),
});

export const disconnectExtension = endpoint({
  method: 'DELETE',
  path: '/v2/extensions/:extensionId',
  summary: 'Disconnects an extension or MCP client of the caller immediately.',
  scope: 'account',
  params: z.strictObject({ extensionId: z.uuid() }),
  status: 204,
  changes: ['userStatus'],
  response: z.null(),
  errors: ['not_found'],
});

export const getExtensionSettings = endpoint({
  method: 'GET',
  path: '/v2/extensions/settings',
  summary: 'Returns the server configuration for extensions: the sites to report.',
  scope: 'organization',
  permission: 'read:org',
  extension: true,
  polled: true,
  response: z.object({
    /** Default developer sites of a browser extension: hosts without scheme and path, including subdomains. */
    sites: z.array(z.string()),
  }),
});

/** A pause, in which an extension records nothing. */
export const extensionPause = z.object({
  since: timestamp,
  /** Null: until resumed. */
  until: timestamp.nullable(),
});
export type ExtensionPause = z.infer<typeof extensionPause>;
