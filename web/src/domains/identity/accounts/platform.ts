import type { architectures, operatingSystems } from '@sightline/contract/tools/downloads.ts';

export type OperatingSystem = (typeof operatingSystems)[number];
export type Architecture = (typeof architectures)[number];

export const systemNames: Record<OperatingSystem, string> = { windows: 'Windows', macos: 'macOS', linux: 'Linux' };
export const architectureNames: Record<Architecture, string> = { x64: 'x64 (Intel, AMD)', arm64: 'ARM64' };

/** Detects the operating system from the user agent; undefined for mobile or unknown systems. */
export function operatingSystemOf(userAgent: string): OperatingSystem | undefined {
  if (/Android|iPhone|iPad|Mobile/.test(userAgent)) return undefined;
  if (userAgent.includes('Windows')) return 'windows';
  if (/Mac OS X|Macintosh/.test(userAgent)) return 'macos';
  return /Linux|X11/.test(userAgent) ? 'linux' : undefined;
}

/** Detects the CPU from the user agent. All Macs claim to be Intel, but most current ones are ARM64. */
export function architectureOf(userAgent: string): Architecture {
  if (/aarch64|arm64|ARM64/.test(userAgent)) return 'arm64';
  return operatingSystemOf(userAgent) === 'macos' ? 'arm64' : 'x64';
}

interface Hints {
  getHighEntropyValues?: (names: string[]) => Promise<{ architecture?: string }>;
}

/** Detects the CPU by User-Agent Client Hints if the browser supports them. */
export async function detectArchitecture(): Promise<Architecture> {
  const { userAgentData } = navigator as { userAgentData?: Hints };
  const hints = await userAgentData?.getHighEntropyValues?.(['architecture']).catch(() => undefined);
  if (hints?.architecture === 'arm') return 'arm64';
  return hints?.architecture === 'x86' ? 'x64' : architectureOf(navigator.userAgent);
}
