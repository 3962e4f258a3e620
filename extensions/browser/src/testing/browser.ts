import { fakeBrowser } from 'wxt/testing/fake-browser';

/** Replaces `wxt/browser` in tests. */
export const browser = fakeBrowser;
