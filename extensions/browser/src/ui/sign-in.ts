import { browser } from 'wxt/browser';
import { serverPattern } from '../server-address.ts';
import type { Extension } from './use-extension.ts';

/**
 * Asks the browser for the server's address, then opens its sign-in. To be called straight from a click: browsers ask for
 * nothing otherwise. Answers with what stands in the way.
 */
export async function signInAt(server: string, act: Extension['act']): Promise<string> {
  try {
    if (!(await browser.permissions.request({ origins: [serverPattern(server)] }))) {
      return 'Sightline can only report to a server that you allow it to reach. Sign in again and choose Allow.';
    }
  } catch {
    return 'The browser refused access to this address. Check it, or ask who manages your browser.';
  }
  await act({ ask: 'server', server });
  await act({ ask: 'sign-in' });
  return '';
}
