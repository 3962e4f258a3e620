import { browser } from 'wxt/browser';
import { defineContentScript } from 'wxt/utils/define-content-script';
import { copiedText } from '../copied-text.ts';
import type { Copied } from '../messages.ts';

const longest = 1_000_000;

export default defineContentScript({
  registration: 'runtime',
  matches: [],
  main: () => {
    const page = globalThis as { sightline?: boolean };
    if (page.sightline) return;
    page.sightline = true;
    for (const action of ['copy', 'cut', 'paste'] as const) {
      // Last in line, so that what a page put into the clipboard itself is what counts.
      window.addEventListener(action, (event) => {
        const text = copiedText(event, document).slice(0, longest);
        if (text !== '') void tell({ copied: { action, text } });
      });
    }
  },
});

// Where the extension was updated or removed meanwhile, this script speaks to nobody.
async function tell(message: Copied): Promise<void> {
  try {
    await browser.runtime.sendMessage(message);
  } catch {}
}
