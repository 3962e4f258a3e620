import { paths } from '@sightline/telemetry/api.ts';
import { authorizeUrl, pkce, redeemCode } from '@sightline/telemetry/sign-in.ts';
import { siteEntry } from '@sightline/telemetry/sites.ts';
import { type Browser, browser } from 'wxt/browser';
import { localState, sessionState } from '../storage.ts';
import { createSerializer } from '../turns.ts';
import { scheduleHeartbeats, sendHeartbeat } from './presence.ts';
import { recordEvent, sendQueuedEvents } from './recording.ts';
import type { Services } from './services.ts';
import { registerClipboardScript } from './sites.ts';

/** Opens the page on which the user authorizes the extension. */
export async function beginSignIn({ server, browserType }: Services): Promise<void> {
  const challenge = await pkce();
  const { state, codeVerifier } = challenge;
  await sessionState.set('pending', { state, codeVerifier, server: server() });
  await sessionState.set('problem', '');
  await browser.tabs.create({
    url: authorizeUrl({ server: server(), scheme: 'browser', challenge, type: browserType, device: '' }),
  });
}

// Browsers report one URL several times.
const inTurn = createSerializer();

/** Reads the code from the redirect URL of the server's page. Ignores all other URLs. */
export async function redeemCodeInTab(services: Services, tab: Browser.tabs.Tab): Promise<void> {
  const found = await inTurn(() => codeIn(tab));
  if (!found) return;
  if (tab.id !== undefined) await browser.tabs.remove(tab.id).catch(() => undefined);
  await signInWith(services, found.code, found.codeVerifier);
}

async function codeIn({
  incognito,
  url,
}: Browser.tabs.Tab): Promise<{ code: string; codeVerifier: string } | undefined> {
  const pending = await sessionState.get('pending');
  if (!pending || incognito || url === undefined) return undefined;
  const { origin, pathname, searchParams } = new URL(url);
  if (origin !== pending.server || pathname !== '/authorize/browser/done') return undefined;
  const code = searchParams.get('code');
  if (code === null || searchParams.get('state') !== pending.state) return undefined;
  await sessionState.remove('pending');
  return { code, codeVerifier: pending.codeVerifier };
}

async function signInWith(services: Services, code: string, codeVerifier: string): Promise<void> {
  const answer = await redeemCode(services.callApi, { code, codeVerifier, version: services.version });
  if ('problem' in answer) {
    await sessionState.set('problem', answer.problem);
    return;
  }
  await services.session.signIn(answer.signedIn);
  await sessionState.set('problem', '');
  await Promise.all([
    sendHeartbeat(services),
    scheduleHeartbeats(),
    registerClipboardScript(true),
    loadDefaultSites(services),
  ]);
  await recordInstallation(services);
  await sendQueuedEvents(services);
}

/** Loads the default sites of this server. */
export async function loadDefaultSites({ session, callApi }: Services): Promise<void> {
  const token = await session.accessToken();
  if (token.kind !== 'token') return;
  const { status, body } = await callApi('GET', paths.settings, { token: token.token });
  const sites = status === 200 && body !== null && typeof body === 'object' && 'sites' in body ? body.sites : undefined;
  if (!Array.isArray(sites)) return;
  await localState.set('defaultSites', [...new Set(sites.map(String).flatMap((site) => siteEntry(site) ?? []))]);
  await registerClipboardScript(true);
}

// Recorded once per account, organization and version, so that the timeline shows since when a browser reports.
async function recordInstallation(services: Services): Promise<void> {
  const owner = await services.session.owner();
  const installationKey = `${owner?.orgId} ${owner?.accountId} ${services.version}`;
  if ((await localState.get('reportedInstallation')) === installationKey) return;
  await localState.set('reportedInstallation', installationKey);
  await recordEvent(services, 'other', {
    identifiers: { what: 'extension_installed', tool: services.browserType, version: services.version },
  });
}

const LAST_REPORT_TIMEOUT_MS = 3000;

/**
 * Sends queued events if the server responds promptly, and removes the sign-in. Unsent events remain queued for that
 * account.
 */
export async function signOut(services: Services): Promise<void> {
  const lastReport = services.sender.resume().then(() => sendHeartbeat(services, { leaving: true }));
  await Promise.race([
    lastReport.catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, LAST_REPORT_TIMEOUT_MS)),
  ]);
  await sessionState.remove('pending', 'problem');
  // The next account must report a pause again.
  await localState.remove('reportedPause');
  await registerClipboardScript(false);
  await services.session.signOut();
}
