import { browser } from 'wxt/browser';
import { serverPattern } from '../server-address.ts';
import type { Extension } from './use-extension.ts';

/**
 * Requests permission for the server, then opens its sign-in. Must be called directly from a click, since browsers
 * reject permission requests otherwise. Returns the problem, if any.
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
