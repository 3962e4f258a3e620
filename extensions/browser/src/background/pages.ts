import { type ReportedSite, siteOf } from '@sightline/telemetry/sites.ts';
import { type Browser, browser } from 'wxt/browser';
import { sessionState } from '../storage.ts';
import { createSerializer } from '../turns.ts';
import { isRecording, recordEvent } from './recording.ts';
import type { Services } from './services.ts';
import { permittedSites } from './sites.ts';

/** Minimum interval between two events for the same host and page kind. */
export const MIN_VISIT_INTERVAL_MS = 30 * 60_000;
/** Seconds without input after which the user is considered away. */
const awaySeconds = 5 * 60;

/** Records a change of the active page. URLs of hosts without permission are undefined. */
export async function recordPageVisit(services: Services, tab: Browser.tabs.Tab | undefined): Promise<void> {
  if (!tab?.active || tab.incognito || tab.url === undefined) return;
  const site = siteOf(tab.url, await permittedSites());
  if (!site || !(await isRecording(services)) || !(await isUserActive())) return;
  if (!(await isNewVisit(site, Date.now()))) return;
  await recordEvent(services, 'web_page_view', {
    identifiers: { kind: site.kind },
    contentUri: `https://${site.host}/`,
  });
}

/** Whether the user is active, so that self-reloading pages at night are not recorded. */
export const isUserActive = async (): Promise<boolean> => (await browser.idle.queryState(awaySeconds)) === 'active';

// Two tabs can load at the same time.
const inTurn = createSerializer();

const isNewVisit = (site: ReportedSite, now: number): Promise<boolean> =>
  inTurn(async () => {
    const seen = (await sessionState.get('seen')) ?? {};
    const key = `${site.host} ${site.kind}`;
    if (isRecent(seen[key], now)) return false;
    const recent = Object.entries(seen).filter(([, at]) => isRecent(at, now));
    await sessionState.set('seen', { ...Object.fromEntries(recent), [key]: now });
    return true;
  });

// A time in the future means that the clock was set back.
const isRecent = (at: number | undefined, now: number) =>
  at !== undefined && at <= now && now - at < MIN_VISIT_INTERVAL_MS;
