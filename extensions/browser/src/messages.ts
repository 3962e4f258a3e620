import type { LogEntry } from '@sightline/telemetry/log.ts';
import type { Pause } from '@sightline/telemetry/pause.ts';
import { browser } from 'wxt/browser';

/** A site in the list of the options page. */
export interface SiteRow {
  host: string;
  name: string;
  group: string;
  /** Whether the browser granted permission. */
  permitted: boolean;
}

/** The state shown in the popup and on the options page. */
export interface ExtensionState {
  version: string;
  server: string | null;
  /** `ended`: the server ended the sign-in. Events recorded since then are queued. */
  signIn: 'signed-out' | 'pending' | 'signed-in' | 'ended';
  account: { name: string; email: string } | null;
  organization: string | null;
  pause: Pause | null;
  waiting: number;
  problem: string;
  sites: SiteRow[];
  /** Whether the sites are the unedited default of the server. */
  sitesAreDefault: boolean;
  log: LogEntry[];
}

/** Commands of extension pages to the background. */
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

/** A message of the content script. Only the background receives the text, and stores its length and hash. */
export interface CopiedMessage {
  copied: { action: 'copy' | 'cut' | 'paste'; text: string };
}

/** Sends a command to the background, which returns the new state. */
export const sendCommand = (command: PopupCommand): Promise<ExtensionState> => browser.runtime.sendMessage(command);

export const isCopied = (message: unknown): message is CopiedMessage =>
  typeof message === 'object' && message !== null && 'copied' in message;
export const isCommand = (message: unknown): message is PopupCommand =>
  typeof message === 'object' && message !== null && 'ask' in message;
