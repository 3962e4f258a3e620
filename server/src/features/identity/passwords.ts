import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Refusal } from '#core/errors.ts';

// 64 MB a hash; both figures stand in each hash, so raising them later leaves the old ones readable.
const cost = { N: 2 ** 16, r: 8, p: 1 };
const maxmem = 96 * 1024 * 1024;
const keyBytes = 32;
const atOnce = 2;
const mostWaiting = 40;

/** `scrypt$N$r$p$salt$key`, the last two in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Whether a password belongs to a hash. Without a hash it works as long and answers no. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = (hash ?? nobody).split('$');
  const expected = Buffer.from(key, 'base64url');
  const derived = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(derived, expected) && hash !== undefined;
}

const nobody = ['scrypt', cost.N, cost.r, cost.p, 'AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(43)].join('$');

// Each run holds 64 MB and a thread, so few run at once and a flood is turned away early.
const waiting: (() => void)[] = [];
let running = 0;

async function derive(password: string, salt: Buffer, { N, r, p }: typeof cost): Promise<Buffer> {
  if (running >= atOnce) {
    if (waiting.length >= mostWaiting) throw new Refusal('unavailable', 'Too many people sign in just now.', {}, 5);
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      scrypt(password.normalize('NFKC'), salt, keyBytes, { N, r, p, maxmem }, (error, key) =>
        error ? reject(error) : resolve(key),
      );
    });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
