import { randomBytes } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import { recordAuditEntry } from '#core/audit.ts';
import { Forbidden, Invalid } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { SigningKeys } from '#core/signing-keys.ts';
import { audienceOf, issuerOf } from '#core/tokens.ts';
import { authorizationClaims, findEntryRole } from '../domains/identity/authentication/grants.ts';
import { type CliAccount, findAccountByEmail } from './accounts.ts';
import { command } from './command.ts';
import { withServices } from './command-resources.ts';
import { operatorActorFor } from './operator.ts';
import { findOrganization } from './organizations.ts';

const MAX_MINUTES = 60;

export const issueToken = command({
  name: 'token',
  description: 'Prints a short-lived access token of a user, for the API.',
  options: {
    email: { valueName: 'ADDRESS', required: true, description: 'The email address of the user.' },
    org: { valueName: 'SLUG|ID', description: 'The organization. Required for most endpoints.' },
    minutes: { valueName: 'NUMBER', description: `Validity in minutes, 1 to ${MAX_MINUTES}. Default: 10.` },
  },
  run: async ({ options }) => {
    const minutes = Number(options.minutes ?? 10);
    if (!Number.isInteger(minutes) || minutes < 1 || minutes > MAX_MINUTES) {
      throw Invalid('--minutes', `must be a whole number from 1 to ${MAX_MINUTES}`);
    }
    return withServices(async (services, keys, ownerUrl) => {
      const account = await findAccountByEmail(services, options.email);
      const org = options.org === undefined ? undefined : await findOrganization(services, ownerUrl, options.org);
      const token = await signToken(services, { keys, account, orgId: org?.id, minutes });
      if (org) await recordTokenIssue(services, account, org.id, minutes);
      const expiresAt = new Date(Date.now() + minutes * 60_000).toISOString();
      // Prints only the token for use in commands: $(npm run --silent sightline -- token …)
      return { json: { token, expiresAt, account: account.id, organization: org?.id ?? null }, lines: [token] };
    });
  },
});

/** Records the token in the audit log of the organization. */
const recordTokenIssue = (
  { database, people }: Services,
  account: CliAccount,
  orgId: string,
  minutes: number,
): Promise<unknown> =>
  database.withOrg(orgId, (tx) => {
    const { operator, requestId } = operatorActorFor(account);
    return recordAuditEntry(tx, {
      people,
      orgId,
      actor: { operator, requestId },
      entry: {
        action: 'login.token_issued',
        subject: { kind: 'account', id: account.id },
        data: { minutes },
      },
    });
  });

/**
 * Returns a token with the claims of the identity provider for the web app. The provider itself creates tokens only for
 * requests. Throws `forbidden` for an account that could not sign in, or not to this organization.
 */
export async function signToken(
  { config, database }: Services,
  {
    keys,
    account,
    orgId,
    minutes,
  }: { keys: SigningKeys; account: CliAccount; orgId: string | undefined; minutes: number },
): Promise<string> {
  const [key] = keys.private.keys;
  if (!key) throw new Error('There is no signing key');
  if (!account.verified) throw Forbidden(`${account.email} has not confirmed the address.`);
  const role = orgId === undefined ? undefined : await findEntryRole(database, orgId, account.id);
  if (orgId !== undefined && !role) throw Forbidden(`${account.email} is not a member of this organization.`);
  const { webClientId } = await import('../domains/identity/authentication/provider.ts');
  return new SignJWT({
    email: account.email,
    ...(orgId !== undefined && role && { orgID: orgId, authorization: authorizationClaims(role) }),
    scope: 'read:current_user',
    client_id: webClientId,
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: key.kid ?? '' })
    .setJti(randomBytes(16).toString('base64url'))
    .setSubject(account.id)
    .setIssuedAt()
    .setExpirationTime(`${minutes}m`)
    .setIssuer(issuerOf(config.PUBLIC_URL))
    .setAudience(audienceOf(config.PUBLIC_URL))
    .sign(await importJWK(key, 'RS256'));
}
