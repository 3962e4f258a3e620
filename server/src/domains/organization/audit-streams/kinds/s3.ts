import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { sha256 } from '#core/hmac.ts';
import type { Batch, Kind, SettingsOf } from '../kind.ts';
import { sendRequest } from './http.ts';

type S3Settings = SettingsOf<'s3'>;

/** Puts each batch as an object of JSON lines, with AWS Signature Version 4 and the bucket in the path. */
export const s3: Kind<S3Settings> = {
  async check(outbound, { url }) {
    await outbound.check('settings.url', url);
  },
  hostOf: ({ url }) => new URL(url).host,
  async deliver(outbound, { settings, secrets }, batch) {
    const body = `${batch.events.map(({ json }) => json).join('\n')}\n`;
    const signer = new AwsV4Signer({
      method: 'PUT',
      url: new URL(`${settings.bucket}/${objectKeyOf(settings, batch)}`, withSlash(settings.url)).href,
      headers: {
        'content-type': 'application/x-ndjson',
        // Storage with object lock asks for it, and none can keep a body that was changed on its way.
        'content-md5': createHash('md5').update(body).digest('base64'),
        'x-amz-content-sha256': sha256(body).toString('hex'),
      },
      body,
      accessKeyId: settings.accessKeyId,
      secretAccessKey: secrets[0] ?? '',
      service: 's3',
      region: settings.region,
    });
    const { url, headers } = await signer.sign();
    await sendRequest(outbound, { method: 'PUT', url: url.href, headers: Object.fromEntries(headers), body });
  },
};

/**
 * By date and by the place of the first entry: a retry begins at the same entry, so it overwrites what an attempt left that was cut
 * off before its success was recorded.
 */
function objectKeyOf({ prefix }: S3Settings, { orgId, first, firstAt, isTest, events }: Batch): string {
  if (isTest) return `${prefix}${orgId}/test/${events[0]?.id ?? ''}.ndjson`;
  const [year, month, day] = firstAt.slice(0, 10).split('-');
  const place = `${String(first.epoch).padStart(4, '0')}-${String(first.leafIndex).padStart(12, '0')}`;
  return `${prefix}${orgId}/${year}/${month}/${day}/${place}.ndjson`;
}

const withSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`);
