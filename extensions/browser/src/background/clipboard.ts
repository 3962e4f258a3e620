import { clipboardFacts, newSalt } from '@sightline/telemetry/redact.ts';
import { siteOf } from '@sightline/telemetry/sites.ts';
import type { Browser } from 'wxt/browser';
import type { Copied } from '../messages.ts';
import { once } from '../storage.ts';
import { isRecording, record } from './recording.ts';
import type { Services } from './services.ts';
import { allowedSites } from './sites.ts';

/** Records a copy on an allowed site. The text is discarded: only its length, kind and salted hash are stored. */
export async function noteCopy(
  services: Services,
  { action, text }: Copied['copied'],
  sender: Browser.runtime.MessageSender,
): Promise<void> {
  if (!sender.tab || sender.tab.incognito || text === '') return;
  const site = siteOf(sender.url ?? sender.tab.url ?? '', await allowedSites());
  if (!site || !(await isRecording(services))) return;
  const salt = Uint8Array.from(await once('salt', () => [...newSalt()]));
  const facts = await clipboardFacts(text, salt);
  await record(services, 'browser_clipboard', {
    identifiers: { ...facts, action },
    contentUri: `https://${site.host}/`,
  });
}
