import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';
import { showBadge } from '../background/badge.ts';
import { noteCopy } from '../background/clipboard.ts';
import { obey } from '../background/commands.ts';
import { notePage } from '../background/pages.ts';
import { beat, isBeat, keepBeating } from '../background/presence.ts';
import { drain, drainAlarm } from '../background/recording.ts';
import { createServices, type Services } from '../background/services.ts';
import { learnSites, noteCode } from '../background/signing-in.ts';
import { watchClipboard } from '../background/sites.ts';
import { isCommand, isCopied } from '../messages.ts';

/** Adds all listeners synchronously, since the event that woke the worker is lost for later listeners. */
export default defineBackground(() => {
  const ready = createServices();
  const then = (work: (services: Services) => unknown) => void ready.then(work).catch(() => undefined);

  browser.tabs.onUpdated.addListener((_id, changed, tab) => {
    if (changed.status !== 'complete' && changed.url === undefined) return;
    then(async (services) => {
      await noteCode(services, tab);
      await notePage(services, tab);
    });
  });
  browser.tabs.onActivated.addListener(({ tabId }) =>
    then(async (services) => notePage(services, await browser.tabs.get(tabId))),
  );
  browser.windows.onRemoved.addListener(() =>
    then(async (services) => {
      if ((await browser.windows.getAll()).length === 0) await beat(services, { leaving: true });
    }),
  );
  browser.alarms.onAlarm.addListener((alarm) =>
    then(async (services) => {
      if (isBeat(alarm)) await Promise.all([beat(services), showBadge()]);
      if (isBeat(alarm) || alarm.name === drainAlarm) await drain(services);
    }),
  );
  browser.idle.onStateChanged.addListener((state) => {
    if (state === 'active') then((services) => beat(services));
  });
  const permissionsChanged = () => then(async ({ session }) => watchClipboard((await session.owner()) !== null));
  browser.permissions.onAdded.addListener(permissionsChanged);
  browser.permissions.onRemoved.addListener(permissionsChanged);

  const begin = () =>
    then(async (services) => {
      await showBadge();
      await keepBeating();
      await watchClipboard((await services.session.owner()) !== null);
      await beat(services);
      await drain(services);
      await learnSites(services);
    });
  browser.storage.local.onChanged.addListener(({ signIn, pause }) => {
    if (signIn || pause) void showBadge();
  });
  browser.runtime.onStartup.addListener(begin);
  browser.runtime.onInstalled.addListener(begin);
  globalThis.addEventListener('online', () => then(drain));

  browser.runtime.onMessage.addListener((message, sender, answer) => {
    if (isCopied(message)) {
      then((services) => noteCopy(services, message.copied, sender));
      return false;
    }
    // Only extension pages may send commands. Content scripts use the message above.
    if (!isCommand(message) || !sender.url?.startsWith(`${location.origin}/`)) return false;
    ready.then((services) => obey(services, message)).then(answer, () => answer(undefined));
    return true;
  });
});
