import { fakeBrowser } from 'wxt/testing/fake-browser';

/** Stands for the one of `wxt/browser` in tests. */
export const browser = fakeBrowser;
