import type { EventKind } from '@sightline/contract/events.ts';

/** The kinds that a filter offers: the event types of spec 3, and who began to use which tool. */
export const offeredKinds = [
  'commit',
  'pull_request',
  'vulnerability',
  'web_page_view',
  'browser_clipboard',
  'ide_clipboard',
  'tool',
  'other',
] as const satisfies readonly EventKind[];
