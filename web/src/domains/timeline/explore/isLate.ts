import type { Event } from '@sightline/contract/timeline/events.ts';
import { lateAfter } from './timelineConstants.ts';

/**
 * Whether a client told of it long after it happened: its queue waited for a connection, or its clock is wrong. What a
 * code host tells has a past by nature, since histories are read in, and is never late.
 */
export const isLate = ({ type, source, as_of, receivedAt }: Event): boolean =>
  !hosts.has(source) && fromClients.has(type) && Date.parse(receivedAt) - Date.parse(as_of) > lateAfter;

const hosts: ReadonlySet<string> = new Set(['github', 'gitlab', 'bitbucket']);
const fromClients: ReadonlySet<Event['type']> = new Set([
  'commit',
  'pull_request',
  'web_page_view',
  'browser_clipboard',
  'ide_clipboard',
  'tool',
  'other',
]);
