import { signedPost } from '#core/standard-webhooks.ts';
import type { Kind, SettingsOf } from '../kind.ts';
import { summaryOf } from '../summary.ts';

/** Event type of a snapshot. */
const snapshotEvent = 'snapshot.exported';

/** Posts the results of a snapshot, signed per Standard Webhooks. The receiver downloads the bundle itself. */
export const webhook: Kind<SettingsOf<'webhook'>> = {
  replaces: false,
  items: () => [{ key: 'summary', label: 'Snapshot results' }],
  sender({ settings, secret }, client) {
    client.redact(secret);
    const post = (id: string, type: string, data: unknown) => {
      const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data });
      return client.request({ url: new URL(settings.url), ...signedPost(id, body, [secret]) });
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
