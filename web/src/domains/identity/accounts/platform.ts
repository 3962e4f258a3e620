import type { architectures, operatingSystems } from '@sightline/contract/tools/downloads.ts';

export type System = (typeof operatingSystems)[number];
export type Architecture = (typeof architectures)[number];

export const systemNames: Record<System, string> = { windows: 'Windows', macos: 'macOS', linux: 'Linux' };
export const architectureNames: Record<Architecture, string> = { x64: 'x64 (Intel, AMD)', arm64: 'ARM64' };

/** The operating system a browser says it runs on; undefined for a phone, or where it says nothing. */
export function systemOf(userAgent: string): System | undefined {
  if (/Android|iPhone|iPad|Mobile/.test(userAgent)) return undefined;
  if (userAgent.includes('Windows')) return 'windows';
  if (/Mac OS X|Macintosh/.test(userAgent)) return 'macos';
  return /Linux|X11/.test(userAgent) ? 'linux' : undefined;
}

/** What the user agent alone gives away; Macs claim to be Intel ones whatever they are, and most of today's are not. */
export function architectureOf(userAgent: string): Architecture {
  if (/aarch64|arm64|ARM64/.test(userAgent)) return 'arm64';
  return systemOf(userAgent) === 'macos' ? 'arm64' : 'x64';
}

interface Hints {
  getHighEntropyValues?: (names: string[]) => Promise<{ architecture?: string }>;
}

/** The chip, asked of the browser where it can be asked. */
export async function askArchitecture(): Promise<Architecture> {
  const { userAgentData } = navigator as { userAgentData?: Hints };
  const told = await userAgentData?.getHighEntropyValues?.(['architecture']).catch(() => undefined);
  if (told?.architecture === 'arm') return 'arm64';
  return told?.architecture === 'x86' ? 'x64' : architectureOf(navigator.userAgent);
}
