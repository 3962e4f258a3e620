import type { EventKind } from '@sightline/contract/events.ts';

/** The kinds that a filter offers: the event types of spec 3. */
export const offeredKinds = [
  'commit',
  'pull_request',
  'vulnerability',
  'web_page_view',
  'browser_clipboard',
  'ide_clipboard',
  'other',
] as const satisfies readonly EventKind[];
