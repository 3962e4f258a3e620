import { providers } from '@sightline/contract/core/providers.ts';
import type { Event } from '@sightline/contract/timeline/events.ts';
import { lateAfterMs } from './timelineConstants.ts';

/**
 * Whether a client reported the event long after it occurred, because it was offline or its clock is wrong. Events of
 * code hosts are never late, because imports report past events.
 */
export const isLate = ({ type, source, as_of, receivedAt }: Event): boolean =>
  !hosts.has(source) && fromClients.has(type) && Date.parse(receivedAt) - Date.parse(as_of) > lateAfterMs;

const hosts: ReadonlySet<string> = new Set(providers);
const fromClients: ReadonlySet<Event['type']> = new Set([
  'commit',
  'pull_request',
  'web_page_view',
  'browser_clipboard',
  'ide_clipboard',
  'tool',
  'other',
]);
