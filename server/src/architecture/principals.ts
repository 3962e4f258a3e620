import { newId } from '#core/ids.ts';
import { extensionAudienceOf } from '#core/tokens.ts';
import type { TestAccount, TestServer } from '#testing/server.ts';
import type { Principal } from './access.ts';
import { badTokens } from './bad-tokens.ts';
import { createExchangedTokens } from './exchanged-tokens.ts';
import type { Seed } from './seeded.ts';

/** Returns the credential of each principal. They send the IDs of the organization `ours`. */
export async function credentialsOf(
  server: TestServer,
  ours: Seed,
  theirs: Seed,
): Promise<Record<Principal, string | undefined>> {
  const { org } = ours;
  const extension = (account: TestAccount, orgId: string, grantId = newId()) =>
    server.token(account, orgId, { aud: extensionAudienceOf(server.config.PUBLIC_URL), sid: grantId });
  const endedGrant = newId();
  server.services.endedSessions.add([endedGrant]);
  const { expired, forged, algNone, wrongAudience } = await badTokens(server, org.owner, org.id);
  return {
    anonymous: undefined,
    expired,
    forged,
    algNone,
    wrongAudience,
    account: await server.token(org.owner),
    owner: await server.token(org.owner, org.id),
    contributor: await server.token(ours.contributor, org.id),
    reviewer: await server.token(ours.reviewer, org.id),
    auditor: await server.token(ours.auditor, org.id),
    otherOwner: await server.token(theirs.org.owner, theirs.org.id),
    intruder: await server.token(theirs.org.owner, org.id),
    deactivated: await server.token(ours.deactivated, org.id),
    removed: await server.token(ours.removed, org.id),
    accessKey: ours.accessKey,
    revokedKey: ours.revokedKey,
    otherKey: theirs.accessKey,
    extension: await extension(org.owner, org.id),
    otherExtension: await extension(theirs.org.owner, theirs.org.id),
    endedExtension: await extension(org.owner, org.id, endedGrant),
    shutOutExtension: await extension(ours.deactivated, org.id),
    portal: ours.portalCookie,
    otherPortal: theirs.portalCookie,
    ...(await createExchangedTokens(server, ours, theirs)),
  };
}
