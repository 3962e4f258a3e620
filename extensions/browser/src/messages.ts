import type { LogEntry } from '@sightline/telemetry/log.ts';
import type { Pause } from '@sightline/telemetry/pause.ts';
import { browser } from 'wxt/browser';

/** A site as the options page lists it. */
export interface SiteRow {
  host: string;
  name: string;
  group: string;
  /** Whether the browser lets the extension see it. */
  permitted: boolean;
}

/** All that the popup and the options page draw. */
export interface ExtensionState {
  version: string;
  server: string | null;
  /** `ended`: the server ended the sign-in; what was recorded since waits. */
  signIn: 'signed-out' | 'pending' | 'signed-in' | 'ended';
  account: { name: string; email: string } | null;
  organization: string | null;
  pause: Pause | null;
  waiting: number;
  problem: string;
  sites: SiteRow[];
  /** Whether the sites are the server's, unedited. */
  sitesAreDefault: boolean;
  log: LogEntry[];
}

/** What the pages of the extension ask of its background. */
export type PopupCommand =
  | { ask: 'state' }
  | { ask: 'server'; server: string }
  | { ask: 'sign-in' }
  | { ask: 'sign-out' }
  | { ask: 'pause'; forMs: number | null }
  | { ask: 'resume' }
  | { ask: 'add-site'; host: string }
  | { ask: 'remove-site'; host: string }
  | { ask: 'reset-sites' }
  | { ask: 'send-now' };

/** What the script in a page tells of; the text goes no further than the background, which keeps its length and hash. */
export interface Copied {
  copied: { action: 'copy' | 'cut' | 'paste'; text: string };
}

/** Asks the background; it answers with how things are afterwards. */
export const ask = (command: PopupCommand): Promise<ExtensionState> => browser.runtime.sendMessage(command);

export const isCopied = (message: unknown): message is Copied =>
  typeof message === 'object' && message !== null && 'copied' in message;
export const isCommand = (message: unknown): message is PopupCommand =>
  typeof message === 'object' && message !== null && 'ask' in message;
