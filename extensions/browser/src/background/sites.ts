import { developerSites } from '@sightline/contract/tools/sites.ts';
import { patternsOf, siteEntry } from '@sightline/telemetry/sites.ts';
import { browser } from 'wxt/browser';
import type { SiteRow } from '../messages.ts';
import { siteDisplayName } from '../site-names.ts';
import { localState } from '../storage.ts';

const scriptId = 'clipboard';
const scriptFile = '/content-scripts/clipboard.js';

/** The sites in order of precedence: edited by the user, default of the server, built-in. */
export async function configuredSites(): Promise<string[]> {
  return (
    (await localState.get('sites')) ?? (await localState.get('defaultSites')) ?? developerSites.map(({ host }) => host)
  );
}

/** The sites with a browser permission. Other pages are never read. */
export async function permittedSites(): Promise<string[]> {
  const sites = await configuredSites();
  const permitted = await Promise.all(sites.map(isPermitted));
  return sites.filter((_, index) => permitted[index]);
}

export async function siteRows(): Promise<SiteRow[]> {
  const sites = await configuredSites();
  return Promise.all(
    sites.map(async (host) => ({ host, ...siteDisplayName(host), permitted: await isPermitted(host) })),
  );
}

/** Adds an entered site; returns false for an invalid host. */
export async function addSite(typed: string): Promise<boolean> {
  const host = siteEntry(typed)?.replace(/^www\./, '');
  if (host === undefined) return false;
  await localState.set('sites', [...new Set([...(await configuredSites()), host])]);
  return true;
}

export async function removeSite(host: string): Promise<void> {
  await localState.set(
    'sites',
    (await configuredSites()).filter((site) => site !== host),
  );
}

export const resetSites = (): Promise<void> => localState.remove('sites');

/** Registers the content script that detects copying for these sites only, including open pages. */
export async function registerClipboardScript(on: boolean): Promise<void> {
  const matches = on ? (await permittedSites()).flatMap(patternsOf) : [];
  const [present] = await browser.scripting.getRegisteredContentScripts({ ids: [scriptId] });
  if (matches.length === 0) {
    if (present) await browser.scripting.unregisterContentScripts({ ids: [scriptId] });
    return;
  }
  const script = { id: scriptId, matches, js: [scriptFile], allFrames: true, runAt: 'document_start' as const };
  if (present) await browser.scripting.updateContentScripts([script]);
  else await browser.scripting.registerContentScripts([{ ...script, persistAcrossSessions: true }]);
  await injectScript(matches);
}

// Pages that were open before have no script yet. The script guards against a second injection.
async function injectScript(matches: string[]): Promise<void> {
  const tabs = await browser.tabs.query({ url: matches });
  const injected = tabs.map(({ id, incognito, discarded }) => {
    if (id === undefined || incognito || discarded) return undefined;
    return browser.scripting.executeScript({ target: { tabId: id, allFrames: true }, files: [scriptFile] });
  });
  await Promise.allSettled(injected);
}

const isPermitted = (host: string): Promise<boolean> => browser.permissions.contains({ origins: patternsOf(host) });
