import { clipboardFacts, newSalt } from '@sightline/telemetry/redact.ts';
import { siteOf } from '@sightline/telemetry/sites.ts';
import type { Browser } from 'wxt/browser';
import type { CopiedMessage } from '../messages.ts';
import { getOrCreate } from '../storage.ts';
import { isRecording, recordEvent } from './recording.ts';
import type { Services } from './services.ts';
import { permittedSites } from './sites.ts';

/** Records a copy on an allowed site. The text is discarded: only its length, kind and salted hash are stored. */
export async function recordCopy(
  services: Services,
  { action, text }: CopiedMessage['copied'],
  sender: Browser.runtime.MessageSender,
): Promise<void> {
  if (!sender.tab || sender.tab.incognito || text === '') return;
  const site = siteOf(sender.url ?? sender.tab.url ?? '', await permittedSites());
  if (!site || !(await isRecording(services))) return;
  const salt = Uint8Array.from(await getOrCreate('salt', () => [...newSalt()]));
  const facts = await clipboardFacts(text, salt);
  await recordEvent(services, 'browser_clipboard', {
    identifiers: { ...facts, action },
    contentUri: `https://${site.host}/`,
  });
}
