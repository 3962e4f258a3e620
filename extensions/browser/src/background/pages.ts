import { type ReportedSite, siteOf } from '@sightline/telemetry/sites.ts';
import { type Browser, browser } from 'wxt/browser';
import { held } from '../storage.ts';
import { turns } from '../turns.ts';
import { isRecording, record } from './recording.ts';
import type { Services } from './services.ts';
import { allowedSites } from './sites.ts';

/** A page of the same kind on the same host is told once in so long. */
export const visitMs = 30 * 60_000;
/** Without a key or a click for so long, nobody is there. */
const awaySeconds = 5 * 60;

/** The page a person looks at became another one. Addresses of hosts without permission come as undefined. */
export async function notePage(services: Services, tab: Browser.tabs.Tab | undefined): Promise<void> {
  if (!tab?.active || tab.incognito || tab.url === undefined) return;
  const site = siteOf(tab.url, await allowedSites());
  if (!site || !(await isRecording(services)) || !(await isThere())) return;
  if (!(await isNewVisit(site, Date.now()))) return;
  await record(services, 'web_page_view', {
    identifiers: { kind: site.kind },
    contentUri: `https://${site.host}/`,
  });
}

/** Whether the person uses this machine: not for pages that reload themselves at night. */
export const isThere = async (): Promise<boolean> => (await browser.idle.queryState(awaySeconds)) === 'active';

// Two tabs may come at once.
const inTurn = turns();

const isNewVisit = (site: ReportedSite, now: number): Promise<boolean> =>
  inTurn(async () => {
    const seen = (await held.get('seen')) ?? {};
    const key = `${site.host} ${site.kind}`;
    if (isRecent(seen[key], now)) return false;
    const recent = Object.entries(seen).filter(([, at]) => isRecent(at, now));
    await held.set('seen', { ...Object.fromEntries(recent), [key]: now });
    return true;
  });

// A time to come is one of a clock that was set back.
const isRecent = (at: number | undefined, now: number) => at !== undefined && at <= now && now - at < visitMs;
