import type { Secrets } from '#core/secrets.ts';

const kept = (accountId: string) => ({ org: '-', table: 'account_totp', field: accountId });
const offered = { org: '-', table: 'account_totp', field: 'setup' };
const setupMinutes = 15;

export const sealTotpSecret = (secrets: Secrets, accountId: string, secret: Buffer): Buffer =>
  secrets.seal(kept(accountId), secret);

export const openTotpSecret = (secrets: Secrets, accountId: string, sealed: Buffer): Buffer =>
  secrets.open(kept(accountId), sealed);

/** A secret that was shown but not confirmed yet: it travels with the person, sealed, and nothing of it is kept here. */
export const sealSetup = (secrets: Secrets, accountId: string, secret: Buffer): string =>
  secrets
    .seal(offered, Buffer.from(JSON.stringify([accountId, secret.toString('base64'), Date.now()])))
    .toString('base64url');

/** The secret of a setup; undefined where it is another account's, older than fifteen minutes, or made up. */
export function openSetup(secrets: Secrets, accountId: string, setup: string): Buffer | undefined {
  try {
    const [owner, secret, at] = JSON.parse(secrets.open(offered, Buffer.from(setup, 'base64url')).toString()) as [
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
