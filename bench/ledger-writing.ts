import { randomBytes, randomUUID } from 'node:crypto';
import { signCheckpoint } from '@sightline/evidence/ledger/checkpoint.ts';
import { publicKeyOf } from '@sightline/evidence/ledger/note.ts';
import { appendEntries, createLedgerEntry, type LedgerEntry } from '../server/src/core/ledger.ts';
import type { Database } from '../server/src/database/database.ts';
import { createOpensslSigner } from '../server/src/domains/ledger/ledger/keys.ts';
import { compareWithHalf, measureDurationMs, quantile } from './halves.ts';
import type { LedgerScene } from './ledger-scene.ts';
import type { ReportRow } from './report.ts';

const seconds = Number(process.env.BENCH_SECONDS ?? 5);
const connections = 8;
const key = randomBytes(32);

/** Measures the cost of a write: creating and queueing entries, and signing a checkpoint. */
export async function measureWriting({ writers, orgId }: LedgerScene): Promise<ReportRow[]> {
  const made: LedgerEntry[] = [];
  const making = await measureDurationMs(() => {
    for (let index = 0; index < 20_000; index += 1) made.push(entry(orgId));
  });
  const inserting = await measureDurationMs(async () => {
    for (let from = 0; from < made.length; from += 1000) await queue(writers, orgId, made.slice(from, from + 1000));
  });
  const single = await transactions(writers, orgId, 1);
  const many = await transactions(writers, orgId, 100);
  return [
    compareWithHalf('making entries of three commitments', (made.length / making) * 1000, { perSecond: 14_000 }),
    compareWithHalf('queueing, a thousand a statement', (made.length / inserting) * 1000, { perSecond: 80_000 }),
    compareWithHalf('transactions of one entry', single.length / seconds, { perSecond: 575 }),
    compareWithHalf('transactions of one entry, p50', quantile(single, 0.5), { ms: 8.3 }),
    compareWithHalf('entries in transactions of a hundred', (many.length * 100) / seconds, { perSecond: 5_050 }),
    compareWithHalf('signed checkpoints', await signing(), { perSecond: 23_000 }),
  ];
}

const queue = (writers: Database, orgId: string, entries: readonly LedgerEntry[]): Promise<void> =>
  writers.withOrg(orgId, (tx) => appendEntries(tx, orgId, entries));

function entry(orgId: string): LedgerEntry {
  const at = '2026-07-01T00:00:00.000Z';
  const personal = { title: 'Draw the way past', name: 'Ada Lovelace', email: 'ada@example.org' };
  return createLedgerEntry(
    {
      id: randomUUID(),
      org: orgId,
      kind: 'bench',
      asOf: at,
      receivedAt: at,
      person: 'per_bench',
      source: 'bench',
      subject: { number: 7, repository: 'repository' },
      personal,
    },
    key,
  );
}

/** Runs as many transactions of `entries` entries as eight connections can. Returns the milliseconds of each. */
async function transactions(writers: Database, orgId: string, entries: number): Promise<number[]> {
  const until = performance.now() + seconds * 1000;
  const took: number[] = [];
  const connection = async () => {
    while (performance.now() < until) {
      took.push(
        await measureDurationMs(() =>
          queue(
            writers,
            orgId,
            Array.from({ length: entries }, () => entry(orgId)),
          ),
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return took;
}

async function signing(): Promise<number> {
  const secret = new Uint8Array(randomBytes(32));
  const signer = createOpensslSigner({ name: 'bench.example/org/1', publicKey: publicKeyOf(secret) }, secret);
  let signed = 0;
  const took = await measureDurationMs(() => {
    for (; signed < 2_000; signed += 1) {
      signCheckpoint({ size: signed, root: new Uint8Array(32) }, signer);
    }
  });
  return (signed / took) * 1000;
}
