import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { quantile, roundToTenth } from './halves.ts';
import { type BenchServer, startServer } from './process.ts';
import { printReport } from './report.ts';

const samples = Number(process.env.BENCH_PROOFS ?? 100);
/** The time that the ledger promises, in milliseconds. */
const promised = 2000;

/** Measures the time from an accepted event to its proof in a signed checkpoint, while other events arrive. */
export async function benchProofDelay(): Promise<void> {
  const server = await startServer();
  const database = new pg.Client({ connectionString: server.superuserUrl.replace(/[^/]*$/, 'sightline') });
  await database.connect();
  const others = setInterval(() => void sendEvent(server).catch(() => undefined), 20);
  try {
    const delays: number[] = [];
    for (let sample = 0; sample < samples; sample += 1) {
      await delay((sample * 37) % 1000);
      const site = await sendEvent(server);
      delays.push(await timeToProof(server, database, site));
    }
    printReport(`time from an accepted event to its proof, ${samples} events beside 50 events/s`, [
      {
        name: 'proof in a signed checkpoint',
        'p50 ms': roundToTenth(quantile(delays, 0.5)),
        'p99 ms': roundToTenth(quantile(delays, 0.99)),
        'promised ms': promised,
        met: quantile(delays, 0.99) <= promised ? 'met' : 'not met',
      },
    ]);
  } finally {
    clearInterval(others);
    await database.end();
    await server.stop();
  }
}

/** Sends an event and returns its site, which no other event has. */
async function sendEvent({ url, token }: BenchServer): Promise<string> {
  const site = `${randomUUID()}.example`;
  const at = new Date().toISOString();
  const answer = await fetch(`${url}/api/v2/events/user`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify([
      {
        plugin_id: 'sightline-browser',
        event_type: 'web_page_view',
        message_id: randomUUID(),
        identifiers: {},
        original_timestamp: at,
        sent_at: at,
        tracking_version: '1.0.0',
        tracking_source: 'chrome',
        content_uri: `https://${site}/`,
      },
    ]),
  });
  if (!answer.ok) throw new Error(`The event was answered with ${answer.status}`);
  return site;
}

async function timeToProof({ url, token, orgId }: BenchServer, database: pg.Client, site: string): Promise<number> {
  const begun = performance.now();
  const { rows } = await database.query<{ proof: string }>(
    // A search of all events would take longer with each sample, and count as a delay of the proof.
    `select proof from event e where org_id = $1 and received_at > now() - interval '30 seconds' and e::text like $2`,
    [orgId, `%${site}%`],
  );
  const entry = rows[0]?.proof;
  if (entry === undefined) throw new Error(`The event of ${site} has no proof`);
  for (;;) {
    const answer = await fetch(`${url}/api/v2/ledger/entries/${entry}/proof`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await answer.text();
    if (answer.ok) return performance.now() - begun;
    if (answer.status !== 409) throw new Error(`The proof was answered with ${answer.status}`);
    await delay(50);
  }
}
