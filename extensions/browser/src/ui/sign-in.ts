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
      return 'Sightline needs permission to access the server. Sign in again and select Allow.';
    }
  } catch {
    return 'The browser denied access to this URL. Check it, or ask the administrator of your browser.';
  }
  await act({ ask: 'server', server });
  await act({ ask: 'sign-in' });
  return '';
}
