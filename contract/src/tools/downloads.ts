import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';

export const downloadTargets = ['vscode', 'chrome', 'firefox', 'brave', 'edge', 'opera'] as const;
export const operatingSystems = ['windows', 'macos', 'linux'] as const;
export const architectures = ['x64', 'arm64'] as const;

/** An extension package on this server. */
export const download = z.object({
  target: z.enum(downloadTargets),
  version: z.string(),
  /** null: for every system. */
  system: z.enum(operatingSystems).nullable(),
  architecture: z.enum(architectures).nullable(),
  fileName: z.string(),
  /** Path of this site. */
  url: z.string(),
  /** Bytes. */
  size: z.number().int(),
  /** Lower-case hexadecimal. */
  sha256: z.string(),
});
export type Download = z.infer<typeof download>;

export const listDownloads = endpoint({
  method: 'GET',
  path: '/v2/downloads',
  summary: 'Lists the extensions available on this server, newest version first.',
  scope: 'account',
  response: z.array(download),
});
