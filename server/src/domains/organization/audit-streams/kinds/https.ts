import { signedPost } from '#core/standard-webhooks.ts';
import type { Kind, SettingsOf } from '../kind.ts';
import { sendRequest } from './http.ts';

/** Posts batches as JSON, signed after Standard Webhooks. */
export const https: Kind<SettingsOf<'https'>> = {
  async check(outbound, { url }) {
    await outbound.check('settings.url', url);
  },
  hostOf: ({ url }) => new URL(url).host,
  async deliver(outbound, { settings, secrets }, { orgId, first, last, events, isTest }) {
    const type = isTest ? 'audit_log.test' : 'audit_log.events';
    const body = `{"type":"${type}","timestamp":"${new Date().toISOString()}","organization":"${orgId}","data":{"events":[${events
      .map(({ json }) => json)
      .join(',')}]}}`;
    // Named by its first and last entry: a retry with more entries is another message.
    const id = isTest
      ? crypto.randomUUID()
      : `${orgId}.${first.epoch}.${first.leafIndex}-${last.epoch}.${last.leafIndex}`;
    await sendRequest(outbound, { url: settings.url, ...signedPost(id, body, secrets) });
  },
};
