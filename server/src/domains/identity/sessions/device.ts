import type { Session } from '@sightline/contract/identity/sessions.ts';
import bowser from 'bowser';

/** What a user agent says of itself, in words. It may lie, and often says little. */
export function deviceOf(userAgent: string): Pick<Session, 'browser' | 'system' | 'device'> {
  if (userAgent === '') return { browser: '', system: '', device: 'other' };
  const { browser, os, platform } = bowser.parse(userAgent);
  const named = (name: string | undefined, version: string | undefined) => [name, version].filter(Boolean).join(' ');
  return {
    browser: named(browser.name, browser.version?.split('.')[0]),
    // Since they stopped telling it, the version of these two is an old one for ever.
    system: /^(macOS|Windows)$/.test(os.name ?? '') ? (os.name ?? '') : named(os.name, os.version),
    device: devices[platform.type ?? ''] ?? 'other',
  };
}

const devices: Record<string, Session['device']> = { desktop: 'desktop', mobile: 'phone', tablet: 'tablet' };
