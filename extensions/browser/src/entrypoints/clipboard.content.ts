import { browser } from 'wxt/browser';
import { defineContentScript } from 'wxt/utils/define-content-script';
import { copiedText } from '../copied-text.ts';
import type { CopiedMessage } from '../messages.ts';

const longest = 1_000_000;

export default defineContentScript({
  registration: 'runtime',
  matches: [],
  main: () => {
    const page = globalThis as { sightline?: boolean };
    if (page.sightline) return;
    page.sightline = true;
    for (const action of ['copy', 'cut', 'paste'] as const) {
      // Runs last, so that it reads text that the page itself wrote to the clipboard.
      window.addEventListener(action, (event) => {
        const text = copiedText(event, document).slice(0, longest);
        if (text !== '') void sendCopied({ copied: { action, text } });
      });
    }
  },
});

// Fails silently if the extension was updated or removed since the script was injected.
async function sendCopied(message: CopiedMessage): Promise<void> {
  try {
    await browser.runtime.sendMessage(message);
  } catch {}
}
