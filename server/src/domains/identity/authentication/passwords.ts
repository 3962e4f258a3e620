import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Config } from '#config.ts';
import { Refusal } from '#core/errors.ts';

type HashCost = Pick<Config, 'PASSWORD_HASH_COST'>;

// The N parameter of scrypt is configurable. Each hash contains all three parameters, so that earlier hashes remain
// valid after an increase.
const [blockSize, parallelization] = [8, 1];
const keyBytes = 32;
const maxConcurrent = 2;
const maxQueued = 40;

/**
 * Returns `scrypt$N$r$p$salt$key`, the last two in base64url. Used by sign-up, password change and reset, and the
 * `accounts` command.
 */
export async function hashPassword(password: string, { PASSWORD_HASH_COST: N }: HashCost): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, { N, r: blockSize, p: parallelization });
  return encodedHash(N, salt.toString('base64url'), key.toString('base64url'));
}

/**
 * Whether a password matches a hash. Without a hash, it takes as long and returns false. Used by sign-in and where a
 * person must enter the password again.
 */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  { PASSWORD_HASH_COST: cost }: HashCost,
): Promise<boolean> {
  const known = hash ?? encodedHash(cost, 'A'.repeat(22), 'A'.repeat(43));
  const [, N, r, p, salt = '', key = ''] = known.split('$');
  const expected = Buffer.from(key, 'base64url');
  const derived = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(derived, expected) && hash !== undefined;
}

const encodedHash = (N: number, salt: string, key: string) =>
  ['scrypt', N, blockSize, parallelization, salt, key].join('$');

// At the default cost each run uses 64 MB and a thread, so few run at once and excess requests are rejected early.
const queue: (() => void)[] = [];
let running = 0;

async function derive(password: string, salt: Buffer, { N, r, p }: Record<'N' | 'r' | 'p', number>): Promise<Buffer> {
  if (running >= maxConcurrent) {
    if (queue.length >= maxQueued)
      throw new Refusal(
        'unavailable',
        'Too many requests are processing passwords. Try again shortly.',
        {},
        { retryAfter: 5 },
      );
    await new Promise<void>((resolve) => queue.push(resolve));
  } else running += 1;
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      scrypt(password.normalize('NFKC'), salt, keyBytes, { N, r, p, maxmem: 192 * N * r }, (error, key) =>
        error ? reject(error) : resolve(key),
      );
    });
  } finally {
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  }
}
