import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';

export interface AttemptLimit {
  name: string;
  most: number;
  windowSeconds: number;
  /** After this many attempts, each further attempt must wait twice as long as the one before: 1 s, 2 s, 4 s, … */
  delayAfter?: number;
}

export const ATTEMPT_LIMITS = {
  signInByDevice: { name: 'sign-in device', most: 10, windowSeconds: 600, delayAfter: 5 },
  signInByEmailAndNetwork: { name: 'sign-in', most: 10, windowSeconds: 600, delayAfter: 5 },
  signInByEmail: { name: 'sign-in address', most: 50, windowSeconds: 3600 },
  signInByNetwork: { name: 'sign-in network', most: 60, windowSeconds: 600 },
  secondFactorByAccount: { name: 'second factor', most: 10, windowSeconds: 600, delayAfter: 5 },
  secondFactorByNetwork: { name: 'second factor network', most: 60, windowSeconds: 600 },
  signUpByNetwork: { name: 'sign-up network', most: 20, windowSeconds: 3600 },
  resetByNetwork: { name: 'reset network', most: 20, windowSeconds: 3600 },
  resetByMinute: { name: 'reset minute', most: 1, windowSeconds: 60 },
  resetByDay: { name: 'reset day', most: 5, windowSeconds: 86_400 },
  mailByMinute: { name: 'mail minute', most: 1, windowSeconds: 60 },
  accessKey: { name: 'access key', most: 300, windowSeconds: 600 },
  extensionByAccount: { name: 'extension sign-in', most: 30, windowSeconds: 600 },
  extensionByGrant: { name: 'extension renewal', most: 300, windowSeconds: 600 },
  extensionByNetwork: { name: 'extension network', most: 300, windowSeconds: 600 },
  samlByNetwork: { name: 'SAML network', most: 1200, windowSeconds: 600 },
  mcpRegistrationByNetwork: { name: 'client registration network', most: 20, windowSeconds: 3600 },
  portalByNetwork: { name: 'portal network', most: 300, windowSeconds: 600 },
  portalViews: { name: 'portal views', most: 1200, windowSeconds: 600 },
  portalRequests: { name: 'portal requests', most: 50, windowSeconds: 86_400 },
  portalChanges: { name: 'portal changes', most: 600, windowSeconds: 3600 },
  mailByDay: { name: 'mail day', most: 5, windowSeconds: 86_400 },
} as const satisfies Record<string, AttemptLimit>;

/** Limits, each with its subject. */
type LimitedSubjects = readonly (readonly [AttemptLimit, string])[];

/**
 * Counts one more attempt for each subject and returns 0. If a subject is over its limit, counts nothing and returns
 * the seconds to wait.
 */
export async function countAttempts(tx: Tx, tries: LimitedSubjects): Promise<number> {
  const keyed = tries.map(([limit, subject]) => ({ limit, key: keyOf(limit, subject) }));
  keyed.sort((a, b) => Buffer.compare(a.key, b.key)); // A fixed lock order prevents deadlocks.
  const waits: number[] = [];
  for (const { limit, key } of keyed) waits.push(await waitOf(tx, limit, key));
  const longest = Math.max(0, ...waits);
  if (longest > 0) return longest;
  await tx.db
    .updateTable('attempt')
    .set({ count: sql`count + 1`, last_at: sql`now()` })
    .where(
      'key',
      'in',
      keyed.map(({ key }) => key),
    )
    .execute();
  return 0;
}

/** Takes counted attempts back: all attempts of `cleared` subjects, one attempt of each `refunded` subject. */
export async function refundAttempts(
  { db }: Tx,
  { cleared = [], refunded = [] }: { cleared?: LimitedSubjects; refunded?: LimitedSubjects },
): Promise<void> {
  const [all, one] = [cleared, refunded].map((tries) => tries.map(([limit, subject]) => keyOf(limit, subject)));
  if (!all || !one) return;
  // The lock order is the same as in countAttempts.
  await db
    .selectFrom('attempt')
    .select('key')
    .where('key', 'in', [...all, ...one])
    .orderBy('key')
    .forUpdate()
    .execute();
  if (all.length > 0) await db.deleteFrom('attempt').where('key', 'in', all).execute();
  if (one.length === 0) return;
  await db.updateTable('attempt').set({ count: sql`greatest(count - 1, 0)` }).where('key', 'in', one).execute();
}

// Most requests come from few addresses, and parsing one costs as much as counting a request.
const networks = new Map<string, string>();
const MAX_NETWORKS = 10_000;

/** The subject of a limit by network: an IPv4 address, or the /64 prefix of an IPv6 address. */
export function networkOf(address: string): string {
  const known = networks.get(address);
  if (known !== undefined) return known;
  const network = parsedNetworkOf(address);
  if (networks.size >= MAX_NETWORKS) networks.clear();
  networks.set(address, network);
  return network;
}

function parsedNetworkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toNormalizedString().split(':').slice(0, 4).join(':');
}

async function waitOf({ db }: Tx, limit: AttemptLimit, key: Buffer): Promise<number> {
  const initial = { count: 0, started_at: sql<Date>`now()`, last_at: sql<Date>`now()` };
  await db
    .insertInto('attempt')
    .values({ key, ...initial })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(initial)
        .where('attempt.started_at', '<=', sql<Date>`now() - make_interval(secs => ${limit.windowSeconds})`),
    )
    .execute();
  const row = await db
    .selectFrom('attempt')
    .select([
      'count',
      sql<number>`extract(epoch from now() - started_at)::float8`.as('age'),
      sql<number>`extract(epoch from now() - last_at)::float8`.as('idle'),
    ])
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (row.count >= limit.most) return Math.max(1, Math.ceil(limit.windowSeconds - row.age));
  if (limit.delayAfter === undefined || row.count < limit.delayAfter) return 0;
  return Math.max(0, Math.ceil(2 ** (row.count - limit.delayAfter) - row.idle));
}

const keyOf = ({ name }: AttemptLimit, subject: string) => createHash('sha256').update(`${name}\n${subject}`).digest();
