import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  errors,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWK,
} from 'jose';
import { sql } from 'kysely';
import type { Database, Tx } from '#database/database.ts';
import type { Secrets } from './secrets.ts';
import type { VerifyingKeys } from './tokens.ts';

export interface SigningKeys extends VerifyingKeys {
  /** The active private keys. The first one signs; the others verify older tokens or will sign later. */
  readonly private: JSONWebKeySet;
  close: () => void;
}

const keyLocation = { org: '-', table: 'oidc_key', field: 'secret' };
// An arbitrary lock ID, the same for every process, so that two processes that start together create one key.
const lock = 7_318_201;
/**
 * How often keys are read again, in milliseconds. An unknown key ID triggers a read at once, but at most one per
 * second.
 */
const readIntervalMs = 5_000;
const minReadIntervalMs = 1_000;
/** Seconds until a new key signs, by which time every process has read it. */
export const newKeySeconds = 60;
/** Days for which a key remains valid after its successor signs, since it also signed session cookies. */
const retentionDays = 15;

/** Whether the database contains no secret yet. The signing keys are the first secret that a server seals. */
export async function isNothingSealed({ pool }: Pick<Database, 'pool'>): Promise<boolean> {
  const { rowCount } = await pool.query('select from oidc_key limit 1');
  return rowCount === 0;
}

/**
 * Loads the keys that sign access tokens (RS256). Creates them on the first start, sealed in the database, and reads
 * them again periodically.
 */
export async function loadSigningKeys(database: Database, secrets: Secrets): Promise<SigningKeys> {
  let keys = await readKeys(database, secrets);
  let set = publicSetOf(keys);
  let readAt = performance.now();
  const read = async () => {
    readAt = performance.now();
    keys = await readKeys(database, secrets);
    set = publicSetOf(keys);
  };
  // A failed read is retried; the previous keys remain valid.
  const timer = setInterval(() => void read().catch(() => undefined), readIntervalMs);
  timer.unref();
  return {
    get private() {
      return { keys };
    },
    async find(header, token) {
      try {
        return await set(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || performance.now() - readAt < minReadIntervalMs) throw error;
        await read();
        return set(header, token);
      }
    },
    version: () => versionOf(keys),
    close: () => clearInterval(timer),
  };
}

const versionOf = (keys: readonly JWK[]): string => keys.map(({ kid }) => kid).join(' ');
const publicSetOf = (keys: readonly JWK[]) => createLocalJWKSet({ keys: keys.map(publicPart) });

/** Returns at least one key, the signing key first. Excludes retired keys. */
async function readKeys(database: Database, secrets: Secrets): Promise<JWK[]> {
  const sealed = await database.global(async (tx) => {
    const existing = await listKeys(tx);
    if (existing.length > 0) return existing;
    await sql`select pg_advisory_xact_lock(${lock})`.execute(tx.db);
    const others = await listKeys(tx);
    return others.length > 0 ? others : [await insertKey(tx, secrets, 0)];
  });
  return sealed.map((one) => JSON.parse(secrets.open(keyLocation, one).toString()) as JWK);
}

async function listKeys({ db }: Tx): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('oidc_key')
    .select('secret')
    .where('retired_at', 'is', null)
    .orderBy(sql`signs_from <= now()`, 'desc')
    .orderBy('signs_from', 'desc')
    .orderBy('kid')
    .execute();
  return rows.map(({ secret }) => secret);
}

async function insertKey({ db }: Tx, secrets: Secrets, afterSeconds: number): Promise<Buffer> {
  const { kid, jwk } = await makeKey();
  const secret = secrets.seal(keyLocation, Buffer.from(JSON.stringify(jwk)));
  await db
    .insertInto('oidc_key')
    .values({ kid, secret, signs_from: sql<Date>`now() + make_interval(secs => ${afterSeconds})` })
    .execute();
  return secret;
}

/**
 * Creates a new key, which signs after `newKeySeconds`. With `revoke` it signs at once and all previous keys are
 * retired, which invalidates their tokens and session cookies. Otherwise retires keys whose successor has signed for
 * `retentionDays`.
 */
export const rotateSigningKey = (
  database: Database,
  secrets: Secrets,
  { revoke }: { revoke: boolean },
): Promise<void> =>
  database.global(async (tx) => {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(tx.db);
    await tx.db
      .updateTable('oidc_key')
      .set({ retired_at: sql<Date>`now()` })
      .where('retired_at', 'is', null)
      .where((eb) =>
        revoke
          ? eb.lit(true)
          : sql<boolean>`exists (select from oidc_key n where n.retired_at is null and n.signs_from > oidc_key.signs_from
              and n.signs_from < now() - make_interval(days => ${retentionDays}))`,
      )
      .execute();
    await insertKey(tx, secrets, revoke ? 0 : newKeySeconds);
  });

async function makeKey(): Promise<{ kid: string; jwk: JWK }> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, jwk: { ...jwk, kid, alg: 'RS256', use: 'sig' } };
}

const publicPart = ({ kty, n, e, kid, alg, use }: JWK): JWK => ({ kty, n, e, kid, alg, use }) as JWK;
