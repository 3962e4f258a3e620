import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';

const sites = [
  ['https://developer.mozilla.org/', 'other'],
  ['https://github.com/', 'pull_request'],
  ['https://claude.ai/', 'other'],
  ['https://stackoverflow.com/', 'search'],
  ['https://gitlab.com/', 'file'],
] as const;

const count = 40;
const hoursBetween = 5;

/** Events of extensions over the week before `now`, without IDs. */
export const demoEvents = (now: Date): Omit<IdentifyEvent, 'message_id'>[] =>
  Array.from({ length: count }, (_, index) => {
    const at = new Date(now.getTime() - (index * hoursBetween + 1) * 3_600_000).toISOString();
    return { original_timestamp: at, sent_at: at, tracking_version: '1.0.0', ...actOf(index) };
  });

function actOf(index: number) {
  const [uri, kind] = sites[index % sites.length] ?? sites[0];
  if (index % 4 === 3) {
    return {
      plugin_id: 'sightline-editor',
      event_type: 'ide_clipboard' as const,
      tracking_source: 'vscode',
      identifiers: { length: String(40 + index * 7), kind: 'code', language: 'typescript', action: 'copy' },
    };
  }
  const copied = index % 4 === 2;
  return {
    plugin_id: 'sightline-browser',
    event_type: copied ? ('browser_clipboard' as const) : ('web_page_view' as const),
    tracking_source: 'chrome',
    identifiers: copied ? { length: String(20 + index * 5), kind: 'text', action: 'copy' } : { kind },
    content_uri: uri,
  };
}
