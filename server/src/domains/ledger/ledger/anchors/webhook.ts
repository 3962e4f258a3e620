import { UpstreamFailed } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { signedPost } from '#core/standard-webhooks.ts';
import type { Kind, SettingsOf } from './kind.ts';

/** Posts the checkpoint, signed per Standard Webhooks. */
export const webhook: Kind<SettingsOf<'webhook'>> = {
  check: async (outbound, { url }) => void (await outbound.check('settings.url', url)),
  async publish({ outbound }, { orgId, settings, secret, checkpoint }) {
    const { note, ...head } = checkpoint;
    const data = { ...head, checkpoint: note };
    const body = JSON.stringify({
      type: 'ledger.checkpoint',
      timestamp: new Date().toISOString(),
      organization: orgId,
      data,
    });
    const request = signedPost(newId(), body, [secret]);
    const { status } = await outbound.fetch('url', settings.url, request, { size: 1024, cut: true });
    if (status < 200 || status >= 300) throw UpstreamFailed(`The receiver responded with status ${status}.`);
    return { receipt: null, message: `The receiver responded with status ${status}.` };
  },
};
