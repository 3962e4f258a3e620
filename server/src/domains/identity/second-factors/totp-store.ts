import type { Secrets } from '#core/secrets.ts';

const secretLocation = (accountId: string) => ({ org: '-', table: 'account_totp', field: accountId });
const setupLocation = { org: '-', table: 'account_totp', field: 'setup' };
const setupMinutes = 15;

export const sealTotpSecret = (secrets: Secrets, accountId: string, secret: Buffer): Buffer =>
  secrets.seal(secretLocation(accountId), secret);

export const openTotpSecret = (secrets: Secrets, accountId: string, sealed: Buffer): Buffer =>
  secrets.open(secretLocation(accountId), sealed);

/** A secret that was displayed but is not confirmed yet. The browser stores it sealed; the server does not store it. */
export const sealSetup = (secrets: Secrets, accountId: string, secret: Buffer): string =>
  secrets
    .seal(setupLocation, Buffer.from(JSON.stringify([accountId, secret.toString('base64'), Date.now()])))
    .toString('base64url');

/** The secret of a setup; undefined if it belongs to another account, is older than fifteen minutes, or is invalid. */
export function openSetup(secrets: Secrets, accountId: string, setup: string): Buffer | undefined {
  try {
    const [owner, secret, at] = JSON.parse(secrets.open(setupLocation, Buffer.from(setup, 'base64url')).toString()) as [
      string,
      string,
      number,
    ];
    const fresh = Date.now() - at < setupMinutes * 60_000;
    return owner === accountId && fresh ? Buffer.from(secret, 'base64') : undefined;
  } catch {
    return undefined;
  }
}
