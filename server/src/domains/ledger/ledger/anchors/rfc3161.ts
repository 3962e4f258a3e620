import { timestampedText } from '@sightline/evidence/ledger/checkpoint.ts';
import { Invalid } from '#core/errors.ts';
import type { Kind, SettingsOf } from './kind.ts';

// Its library for X.509 takes 4 MB, and most servers have no anchor of this kind.
const loadTimeStamps = () => import('#providers/time-stamps.ts');

/** Has a time-stamping authority say when the three lines of the checkpoint existed. */
export const rfc3161: Kind<SettingsOf<'rfc3161'>> = {
  async check(outbound, { url, certificates }) {
    await outbound.check('settings.url', url);
    const { areCertificates } = await loadTimeStamps();
    if (!areCertificates(certificates)) throw Invalid('settings.certificates', 'must be PEM certificates');
  },
  async publish({ outbound }, { settings, checkpoint }) {
    const { requestTimeStamp } = await loadTimeStamps();
    const { at, authority, der } = await requestTimeStamp(
      outbound,
      settings,
      Buffer.from(timestampedText(checkpoint.note)),
    );
    return { receipt: der, message: `${authority} certified the time ${at.toISOString()}.` };
  },
};
