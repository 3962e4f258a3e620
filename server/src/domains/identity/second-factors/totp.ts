import { Secret, TOTP } from 'otpauth';

const period = 30;
// The defaults of RFC 6238, the only ones that every authenticator app supports.
const totpDefaults = { issuer: 'Sightline', algorithm: 'SHA1', digits: 6, period } as const;

/** 160 bits. */
export const createTotpSecret = (): Buffer => Buffer.from(new Secret({ size: 20 }).buffer);

export interface TotpSetup {
  /** Base32. */
  secret: string;
  uri: string;
  /** SVG, dark on light in both themes: not every camera reads inverted codes. */
  qr: string;
}

/** The secret in the formats that an authenticator app reads. */
export async function totpSetupOf(secret: Buffer, email: string): Promise<TotpSetup> {
  const totp = totpOf(secret, email);
  const uri = totp.toString();
  const { toString: drawQr } = await import('qrcode');
  const qr = await drawQr(uri, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' });
  return { secret: totp.secret.base32, uri, qr };
}

/** The 30-second step of a code, the current one or a neighbor; undefined for a wrong code. */
export function totpStepOf(secret: Buffer, code: string, now = Date.now()): number | undefined {
  const digits = code.replace(/\s/g, '');
  const delta = /^\d{6}$/.test(digits) ? totpOf(secret).validate({ token: digits, window: 1, timestamp: now }) : null;
  return delta === null ? undefined : Math.floor(now / 1000 / period) + delta;
}

const totpOf = (secret: Buffer, label = '') =>
  new TOTP({ ...totpDefaults, label, secret: new Secret({ buffer: new Uint8Array(secret).buffer }) });
