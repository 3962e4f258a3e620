import type { IdentifyEvent } from '@sightline/contract/events.ts';

const sites = [
  ['https://developer.mozilla.org/docs/Web/API/Streams_API', 'Streams API'],
  ['https://www.postgresql.org/docs/current/ddl-rowsecurity.html', 'Row Security Policies'],
  ['https://nodejs.org/api/stream.html', 'Stream'],
  ['https://stackoverflow.com/questions/11227809', 'Why is a sorted array faster?'],
  ['https://owasp.org/Top10', 'OWASP Top Ten'],
] as const;

const count = 40;
const hoursBetween = 5;

/** What an extension would have sent over the week before `now`, without ids. */
export const demoEvents = (now: Date): Omit<IdentifyEvent, 'message_id'>[] =>
  Array.from({ length: count }, (_, index) => {
    const at = new Date(now.getTime() - (index * hoursBetween + 1) * 3_600_000).toISOString();
    return { original_timestamp: at, sent_at: at, tracking_version: '1.0.0', ...actOf(index) };
  });

function actOf(index: number) {
  const [uri, title] = sites[index % sites.length] ?? sites[0];
  if (index % 4 === 3) {
    return {
      plugin_id: 'sightline-vscode',
      event_type: 'ide_clipboard' as const,
      tracking_source: 'vscode',
      identifiers: { file: 'src/stream.ts', lines: String(3 + (index % 20)) },
    };
  }
  return {
    plugin_id: 'sightline-browser',
    event_type: index % 4 === 2 ? ('browser_clipboard' as const) : ('web_page_view' as const),
    tracking_source: 'chrome',
    identifiers: { title },
    content_uri: uri,
  };
}
