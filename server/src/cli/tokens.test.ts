import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSigningKeys } from '#core/signing-keys.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { makePerson, signedIn, tokensOf } from '../domains/identity/authentication/testing/people.ts';
import { signToken } from './tokens.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('an operator token carries the same claims as a token of the identity provider', async () => {
  const { services } = server;
  const person = await makePerson(server);
  const { id } = await server.make.organization();
  await services.database.withOrg(id, ({ db }) =>
    db
      .insertInto('member')
      .values({ org_id: id, account_id: person.id, role_id: 'rol_reviewer', status: 'active' })
      .execute(),
  );
  const keys = await loadSigningKeys(services.database, services.secrets);
  const browser = await signedIn(server, person);
  for (const organization of [undefined, id]) {
    const parameters = organization === undefined ? {} : { organization };
    const { access_token: theirs = '' } = await tokensOf(server, browser, parameters);
    const ours = await signToken(services, {
      keys,
      account: { ...person, verified: true },
      orgId: organization,
      minutes: 10,
    });
    // A token of the operator belongs to no browser session.
    const { iat = 0, exp = 0, jti, sid, ...claims } = decodeJwt(theirs);
    const { iat: at = 0, exp: until = 0, jti: own, ...same } = decodeJwt(ours);
    expect(same).toEqual(claims);
    expect(until - at).toBe(exp - iat);
    expect([typeof jti, typeof own, typeof sid]).toEqual(['string', 'string', 'string']);
    expect(decodeProtectedHeader(ours)).toEqual(decodeProtectedHeader(theirs));
    expect(await services.verifyToken(ours)).toMatchObject({ accountId: person.id, orgId: organization });
  }
});
