import { signedHeaders } from '#core/standard-webhooks.ts';
import type { Kind, SettingsOf } from '../kind.ts';
import { summaryOf } from '../summary.ts';

/** What a snapshot is called among the events of webhooks. */
const snapshotEvent = 'snapshot.exported';

/** Posts the numbers of a snapshot, signed after Standard Webhooks; whoever listens fetches the bundle itself. */
export const webhook: Kind<SettingsOf<'webhook'>> = {
  replaces: false,
  items: () => [{ key: 'summary', label: 'Snapshot results' }],
  sender({ settings, secret }, sink) {
    sink.hide(secret);
    const post = (id: string, type: string, data: unknown) => {
      const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data });
      const headers = { 'content-type': 'application/json', ...signedHeaders(id, Date.now(), body, [secret]) };
      return sink.ask({ method: 'POST', url: new URL(settings.url), headers, body });
    };
    return {
      async test() {
        const { status } = await post(crypto.randomUUID(), 'evidence_destination.test', { message: 'This is a test.' });
        return `Response status ${status}.`;
      },
      async send(snapshot, { id }) {
        const { status } = await post(id, snapshotEvent, summaryOf(snapshot));
        return { state: 'sent', message: `Response status ${status}.` };
      },
    };
  },
};
