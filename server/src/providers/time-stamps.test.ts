import { SignedData, TimeStampResp } from 'pkijs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { startTimeStampingAuthority, type TimeStampingAuthority } from '#testing/time-stamps.ts';
import { areCertificates, requestTimeStamp, verifyTimeStamp } from './time-stamps.ts';

let rsa: TimeStampingAuthority;
let ec: TimeStampingAuthority;
beforeAll(async () => {
  rsa = await startTimeStampingAuthority('rsa');
  ec = await startTimeStampingAuthority('ec');
});
afterAll(async () => {
  await rsa.close();
  await ec.close();
});

const data = Buffer.from('log.example/org/1\n10\nAAAA\n');
const outbound = createOutbound(['127.0.0.1']);

test.each(['rsa', 'ec'] as const)('verifies a time stamp of an authority with a key of type %s', async (kind) => {
  const authority = kind === 'rsa' ? rsa : ec;
  const stamped = await requestTimeStamp(outbound, { url: authority.url, certificates: authority.root }, data);
  expect(Math.abs(stamped.at.getTime() - Date.now())).toBeLessThan(60_000);
  expect(stamped.authority).toBe('Test Time Stamps');
  expect(await verifyTimeStamp(stamped.der, data, authority.root)).toMatchObject({ authority: 'Test Time Stamps' });
  // An independent implementation verifies it too.
  expect(await authority.verifies(stamped.der, data)).toBe(true);
});

test('accepts a time stamp only for its own data and from a trusted authority', async () => {
  const { der } = await requestTimeStamp(outbound, { url: rsa.url, certificates: rsa.root }, data);
  await expect(verifyTimeStamp(der, Buffer.from('other'), rsa.root)).rejects.toThrow('cannot be believed');
  await expect(verifyTimeStamp(der, data, ec.root)).rejects.toThrow('cannot be believed');
  await expect(verifyTimeStamp(der, data, '')).rejects.toThrow('cannot be believed');
  for (let at = 40; at < der.length; at += 97) {
    const flipped = Buffer.from(der);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    const opened = await verifyTimeStamp(flipped, data, rsa.root).catch(() => undefined);
    // Unsigned parts, such as an unused certificate, may differ, but not the time.
    if (opened) expect(opened.at.getTime()).toBe((await verifyTimeStamp(der, data, rsa.root)).at.getTime());
  }
});

test('rejects a response to another request and a refusal', async () => {
  const { der } = await requestTimeStamp(outbound, { url: rsa.url, certificates: rsa.root }, data);
  rsa.setResponse(() => ({ status: 200, body: der }));
  await expect(requestTimeStamp(outbound, { url: rsa.url, certificates: rsa.root }, data)).rejects.toThrow(
    'another request',
  );
  rsa.setResponse(() => ({ status: 503, body: Buffer.from('busy') }));
  await expect(requestTimeStamp(outbound, { url: rsa.url, certificates: rsa.root }, data)).rejects.toThrow('503');
  rsa.setResponse(() => ({ status: 200, body: Buffer.from('<html>') }));
  await expect(requestTimeStamp(outbound, { url: rsa.url, certificates: rsa.root }, data)).rejects.toThrow(
    'no time stamp',
  );
  // Status 2 means rejection.
  rsa.setResponse(() => ({ status: 200, body: Buffer.from('30053003020102', 'hex') }));
  await expect(requestTimeStamp(outbound, { url: rsa.url, certificates: rsa.root }, data)).rejects.toThrow('refused');
  rsa.setResponse(undefined);
});

test('rejects a signing certificate that is not intended for time stamps', async () => {
  const { der } = await requestTimeStamp(outbound, { url: rsa.url, certificates: rsa.root }, data);
  const { timeStampToken } = TimeStampResp.fromBER(Uint8Array.from(der).buffer);
  const content = new SignedData({ schema: timeStampToken?.content }).encapContentInfo.eContent;
  const forged = await rsa.signWithWrongPurpose(Buffer.from(content?.getValue() ?? new ArrayBuffer(0)));
  await expect(verifyTimeStamp(forged, data, rsa.root)).rejects.toThrow('not one for time stamps');
});

test('accepts only certificates as roots', () => {
  expect(areCertificates(rsa.root)).toBe(true);
  expect(areCertificates('')).toBe(true);
  expect(areCertificates('nonsense')).toBe(false);
  expect(areCertificates('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----')).toBe(false);
});
