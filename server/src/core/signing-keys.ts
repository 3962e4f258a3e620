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
  /** Private keys of now, the one that signs first; the others verify what was signed before, or will be. */
  readonly private: JSONWebKeySet;
  close: () => void;
}

const place = { org: '-', table: 'oidc_key', field: 'secret' };
// Any number, the same for every process, so that two that start together make one key.
const lock = 7_318_201;
/** How often keys are read again, in milliseconds; a token of a key that is not known has them read at once, each second at most. */
const readEvery = 5_000;
const readAtMostEvery = 1_000;
/** Seconds until a new key signs: every process has read it by then. */
export const newKeySeconds = 60;
/** Days that a key stays after another one signs: cookies of sessions are signed under it too. */
const keptDays = 15;

/** Whether no secret is in the database yet: these keys are the first that a server seals. */
export async function isNothingSealed({ pool }: Pick<Database, 'pool'>): Promise<boolean> {
  const { rowCount } = await pool.query('select from oidc_key limit 1');
  return rowCount === 0;
}

/** The keys access tokens are signed with (RS256), made on the first start, sealed in the database, and read again as they change. */
export async function loadSigningKeys(database: Database, secrets: Secrets): Promise<SigningKeys> {
  let keys = await readKeys(database, secrets);
  let set = publicSetOf(keys);
  let readAt = performance.now();
  const read = async () => {
    readAt = performance.now();
    keys = await readKeys(database, secrets);
    set = publicSetOf(keys);
  };
  // What fails is tried again; the keys of before are still good.
  const timer = setInterval(() => void read().catch(() => undefined), readEvery);
  timer.unref();
  return {
    get private() {
      return { keys };
    },
    async find(header, token) {
      try {
        return await set(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || performance.now() - readAt < readAtMostEvery) throw error;
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

/** The one that signs first, and at least one. Those that another one followed long ago are retired. */
async function readKeys(database: Database, secrets: Secrets): Promise<JWK[]> {
  const sealed = await database.global(async (tx) => {
    const kept = await listKeys(tx);
    if (kept.length > 0) return kept;
    await sql`select pg_advisory_xact_lock(${lock})`.execute(tx.db);
    const others = await listKeys(tx);
    return others.length > 0 ? others : [await insertKey(tx, secrets, 0)];
  });
  return sealed.map((one) => JSON.parse(secrets.open(place, one).toString()) as JWK);
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
  const secret = secrets.seal(place, Buffer.from(JSON.stringify(jwk)));
  await db
    .insertInto('oidc_key')
    .values({ kid, secret, signs_from: sql<Date>`now() + make_interval(secs => ${afterSeconds})` })
    .execute();
  return secret;
}

/**
 * Makes a new key, which signs after `newKeySeconds`. With `revoke` it signs at once, and whatever the keys before signed is good no
 * longer: tokens, and the cookies of sessions. Keys that were followed long ago are retired.
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
              and n.signs_from < now() - make_interval(days => ${keptDays}))`,
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
