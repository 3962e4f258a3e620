import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
import { sql } from 'kysely';
import type { Database } from '#database/database.ts';
import type { Secrets } from './secrets.ts';

export interface SigningKeys {
  /** Private keys, the one that signs first; older ones stay until every token they signed has expired. */
  private: JSONWebKeySet;
  /** Finds the public key of a token for jose. */
  find: JWTVerifyGetKey;
}

const place = { org: '-', table: 'oidc_key', field: 'secret' };
// Any number, the same for every process, so that two that start together make one key.
const lock = 7_318_201;

/** The keys access tokens are signed with (RS256), made on the first start and sealed in the database. */
export async function loadSigningKeys(database: Database, secrets: Secrets): Promise<SigningKeys> {
  const rows = await database.global(async ({ db }) => {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(db);
    const kept = await db
      .selectFrom('oidc_key')
      .select('secret')
      .where('retired_at', 'is', null)
      .orderBy('created_at', 'desc')
      .execute();
    if (kept.length > 0) return kept.map((row) => row.secret);
    const { kid, jwk } = await makeKey();
    const secret = secrets.seal(place, Buffer.from(JSON.stringify(jwk)));
    await db.insertInto('oidc_key').values({ kid, secret }).execute();
    return [secret];
  });
  const keys = rows.map((sealed) => JSON.parse(secrets.open(place, sealed).toString()) as JWK);
  return { private: { keys }, find: createLocalJWKSet({ keys: keys.map(publicPart) }) };
}

async function makeKey(): Promise<{ kid: string; jwk: JWK }> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, jwk: { ...jwk, kid, alg: 'RS256', use: 'sig' } };
}

const publicPart = ({ kty, n, e, kid, alg, use }: JWK): JWK => ({ kty, n, e, kid, alg, use }) as JWK;
