import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';
import { showBadge } from '../background/badge.ts';
import { recordCopy } from '../background/clipboard.ts';
import { executeCommand } from '../background/commands.ts';
import { recordPageVisit } from '../background/pages.ts';
import { isHeartbeatAlarm, scheduleHeartbeats, sendHeartbeat } from '../background/presence.ts';
import { sendQueueAlarm, sendQueuedEvents } from '../background/recording.ts';
import { createServices, type Services } from '../background/services.ts';
import { loadDefaultSites, redeemCodeInTab } from '../background/signing-in.ts';
import { registerClipboardScript } from '../background/sites.ts';
import { isCommand, isCopied } from '../messages.ts';

/** Adds all listeners synchronously, since the event that woke the worker is lost for later listeners. */
export default defineBackground(() => {
  const ready = createServices();
  const then = (work: (services: Services) => unknown) => void ready.then(work).catch(() => undefined);

  browser.tabs.onUpdated.addListener((_id, changed, tab) => {
    if (changed.status !== 'complete' && changed.url === undefined) return;
    then(async (services) => {
      await redeemCodeInTab(services, tab);
      await recordPageVisit(services, tab);
    });
  });
  browser.tabs.onActivated.addListener(({ tabId }) =>
    then(async (services) => recordPageVisit(services, await browser.tabs.get(tabId))),
  );
  browser.windows.onRemoved.addListener(() =>
    then(async (services) => {
      if ((await browser.windows.getAll()).length === 0) await sendHeartbeat(services, { leaving: true });
    }),
  );
  browser.alarms.onAlarm.addListener((alarm) =>
    then(async (services) => {
      if (isHeartbeatAlarm(alarm)) await Promise.all([sendHeartbeat(services), showBadge()]);
      if (isHeartbeatAlarm(alarm) || alarm.name === sendQueueAlarm) await sendQueuedEvents(services);
    }),
  );
  browser.idle.onStateChanged.addListener((state) => {
    if (state === 'active') then((services) => sendHeartbeat(services));
  });
  const permissionsChanged = () =>
    then(async ({ session }) => registerClipboardScript((await session.owner()) !== null));
  browser.permissions.onAdded.addListener(permissionsChanged);
  browser.permissions.onRemoved.addListener(permissionsChanged);

  const begin = () =>
    then(async (services) => {
      await showBadge();
      await scheduleHeartbeats();
      await registerClipboardScript((await services.session.owner()) !== null);
      await sendHeartbeat(services);
      await sendQueuedEvents(services);
      await loadDefaultSites(services);
    });
  browser.storage.local.onChanged.addListener(({ signIn, pause }) => {
    if (signIn || pause) void showBadge();
  });
  browser.runtime.onStartup.addListener(begin);
  browser.runtime.onInstalled.addListener(begin);
  globalThis.addEventListener('online', () => then(sendQueuedEvents));

  browser.runtime.onMessage.addListener((message, sender, answer) => {
    if (isCopied(message)) {
      then((services) => recordCopy(services, message.copied, sender));
      return false;
    }
    // Only extension pages may send commands. Content scripts use the message above.
    if (!isCommand(message) || !sender.url?.startsWith(`${location.origin}/`)) return false;
    ready.then((services) => executeCommand(services, message)).then(answer, () => answer(undefined));
    return true;
  });
});
