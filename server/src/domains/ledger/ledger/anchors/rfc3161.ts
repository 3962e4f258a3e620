import { timestampedText } from '@sightline/evidence/ledger/checkpoint.ts';
import { Invalid } from '#core/errors.ts';
import { areCertificates, requestTimeStamp } from '#providers/time-stamps.ts';
import type { Kind, SettingsOf } from './kind.ts';

/** Has a time-stamping authority say when the three lines of the checkpoint existed. */
export const rfc3161: Kind<SettingsOf<'rfc3161'>> = {
  async check(outbound, { url, certificates }) {
    await outbound.check('settings.url', url);
    if (!areCertificates(certificates)) throw Invalid('settings.certificates', 'must be PEM certificates');
  },
  async leave({ outbound }, { settings, checkpoint }) {
    const { at, authority, der } = await requestTimeStamp(
      outbound,
      settings,
      Buffer.from(timestampedText(checkpoint.note)),
    );
    return { receipt: der, message: `${authority} certified the time ${at.toISOString()}.` };
  },
};
