import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { instant, text } from '../core/text.ts';

/** The two sides a person's extensions report from (spec 3, extension status). */
export const extensionSides = ['browser', 'ide'] as const;
export type ExtensionSide = (typeof extensionSides)[number];

/** Program that an extension runs in, as tools know it: `vscode`, `cursor`, `chrome`, `firefox`, … */
export const extensionType = text(40).regex(/^[a-z0-9][a-z0-9-]*$/, { error: 'must be a short name in lower case' });

/** The schemes under which editors take links, unless the operator says others (spec 2.1). */
export const editorSchemes = ['vscode', 'vscode-insiders', 'vscodium', 'cursor', 'windsurf', 'code-oss'] as const;
/** Who takes the links: publisher and name of the editor extension. */
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
};
/** What people call a program; one we do not know keeps its short name. */
export const programName = (type: string): string => programs[type] ?? type;

// PKCE (RFC 7636): 32 random bytes or their SHA-256, as base64url.
const challenge = text(43).regex(/^[\w-]{43}$/, { error: 'must be 43 characters of base64url' });

/** Where an extension runs, as its person recognises it among others. */
const place = {
  side: z.enum(extensionSides),
  type: extensionType,
  /** Of the machine or profile; empty where the extension cannot know it. */
  device: text(100).default(''),
};

/** A signed-in extension: it may report and ask how it is, nothing else. */
export const extension = z.object({
  id: z.string(),
  side: z.enum(extensionSides),
  type: z.string(),
  device: z.string(),
  version: z.string().nullable(),
  organization: z.object({ id: z.string(), displayName: z.string() }),
  createdAt: instant,
  /** To the minute. */
  lastUsedAt: instant.nullable(),
});
export type Extension = z.infer<typeof extension>;

export const authorizeExtension = endpoint({
  method: 'POST',
  path: '/v2/extensions/authorize',
  summary: 'Gives the signed-in member a code with which the extension that asked signs in: once, within a minute.',
  scope: 'organization',
  permission: 'read:org',
  body: z.strictObject({ ...place, codeChallenge: challenge }),
  status: 201,
  response: z.object({ code: z.string(), expiresAt: instant }),
});

const signedIn = z.object({
  /** Good for ten minutes at most. */
  accessToken: z.string(),
  expiresAt: instant,
  account: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  organization: z.object({ id: z.string(), displayName: z.string() }),
});
export type ExtensionSignIn = z.infer<typeof signedIn>;

export const redeemExtensionCode = endpoint({
  method: 'POST',
  path: '/v2/extensions/token',
  summary: 'Signs an extension in with the code it was given and the secret its challenge was made from.',
  scope: 'public',
  body: z.strictObject({ code: text(200), codeVerifier: challenge, version: text(40).optional() }),
  response: signedIn.extend({ refreshToken: z.string() }),
  errors: ['unauthenticated'],
});

const refreshToken = text(200);

export const renewExtensionToken = endpoint({
  method: 'POST',
  path: '/v2/extensions/token/renew',
  summary:
    'Gives a signed-in extension its next access token. The refresh token stays, so that several windows may ask.',
  scope: 'public',
  body: z.strictObject({ refreshToken, version: text(40).optional() }),
  response: signedIn,
  errors: ['unauthenticated'],
});

export const revokeExtensionToken = endpoint({
  method: 'POST',
  path: '/v2/extensions/token/revoke',
  summary: 'Signs an extension out. Answers the same for a token nobody knows.',
  scope: 'public',
  body: z.strictObject({ refreshToken }),
  status: 204,
  response: z.null(),
});

export const listExtensions = endpoint({
  method: 'GET',
  path: '/v2/extensions',
  summary: "The asking person's signed-in extensions, in every organisation, the last used first.",
  scope: 'account',
  response: z.array(extension),
});

export const disconnectExtension = endpoint({
  method: 'DELETE',
  path: '/v2/extensions/:extensionId',
  summary: "Signs one of the asking person's extensions out, at once.",
  scope: 'account',
  params: z.strictObject({ extensionId: z.uuid() }),
  status: 204,
  response: z.null(),
  errors: ['not_found'],
});

export const getExtensionSettings = endpoint({
  method: 'GET',
  path: '/v2/extensions/settings',
  summary: 'What extensions need to know of this server: the sites that are worth reporting.',
  scope: 'organization',
  permission: 'read:org',
  extension: true,
  polled: true,
  response: z.object({
    /** Hosts for developers, without scheme or path, subdomains included: a browser extension begins with these. */
    sites: z.array(z.string()),
  }),
});

/** That somebody has an extension record nothing. */
export const extensionPause = z.object({
  since: instant,
  /** Null: until they resume. */
  until: instant.nullable(),
});
export type ExtensionPause = z.infer<typeof extensionPause>;
