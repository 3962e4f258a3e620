import type { Session } from '@sightline/contract/identity/sessions.ts';
import bowser from 'bowser';

/** The browser, system and device according to a user agent, which may be wrong or incomplete. */
export function deviceOf(userAgent: string): Pick<Session, 'browser' | 'system' | 'device'> {
  if (userAgent === '') return { browser: '', system: '', device: 'other' };
  const { browser, os, platform } = bowser.parse(userAgent);
  const named = (name: string | undefined, version: string | undefined) => [name, version].filter(Boolean).join(' ');
  return {
    browser: named(browser.name, browser.version?.split('.')[0]),
    // These two report a frozen version, which is omitted.
    system: /^(macOS|Windows)$/.test(os.name ?? '') ? (os.name ?? '') : named(os.name, os.version),
    device: devices[platform.type ?? ''] ?? 'other',
  };
}

const devices: Record<string, Session['device']> = { desktop: 'desktop', mobile: 'phone', tablet: 'tablet' };
