import type { AddressInfo } from 'node:net';
import { cosign } from '@sightline/evidence/ledger/cosignature.ts';
import type { Verifier } from '@sightline/evidence/ledger/note.ts';
import { checkAddCheckpointRequest, parseAddCheckpointRequest } from '@sightline/evidence/ledger/witness.ts';
import { type FastifyError, fastify } from 'fastify';
import { readLatestCheckpoints, type WitnessKeys, writeLatestCheckpoints } from './store.ts';

export interface WitnessConfig {
  folder: string;
  keys: WitnessKeys;
  logs: ReadonlyMap<string, readonly Verifier[]>;
  log: (line: string) => void;
}

export interface RunningWitness {
  port: number;
  stop: () => Promise<void>;
}

// A request with 63 hashes and many signatures needs a quarter of it.
const MAX_REQUEST_BYTES = 64 * 1024;

/** Serves `add-checkpoint` of C2SP tlog-witness. Requires one process per folder. */
export async function serveWitness(witness: WitnessConfig, host: string, port: number): Promise<RunningWitness> {
  // Requests run one at a time: no other one may run between reading and storing the latest cosigned checkpoint.
  let before: Promise<unknown> = Promise.resolve();
  const add = (text: string) => {
    const answer = before.then(() => answerTo(witness, text));
    before = answer.catch(() => undefined);
    return answer;
  };
  const app = fastify({ bodyLimit: MAX_REQUEST_BYTES });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body));
  app.post('/add-checkpoint', async (request, reply) => {
    const { status, body, type = plain } = await add(typeof request.body === 'string' ? request.body : '');
    return reply.code(status).type(type).send(body);
  });
  app.setNotFoundHandler((_, reply) => reply.code(404).type(plain).send('Not found.\n'));
  app.setErrorHandler((error: FastifyError, _, reply) => {
    const isClientError = error.statusCode !== undefined && error.statusCode < 500;
    if (!isClientError) witness.log(`failed: ${error.message}`);
    return reply
      .code(isClientError ? 400 : 500)
      .type(plain)
      .send(isClientError ? 'Not a valid witness request.\n' : 'The witness could not store its state.\n');
  });
  await app.listen({ host, port });
  return { port: (app.server.address() as AddressInfo).port, stop: () => app.close() };
}

const plain = 'text/plain; charset=utf-8';

interface Reply {
  status: number;
  body: string;
  type?: string;
}

async function answerTo({ folder, keys, logs, log: say }: WitnessConfig, text: string): Promise<Reply> {
  const latest = await readLatestCheckpoints(folder);
  const result = checkAddCheckpointRequest(text, (origin) => {
    const verifiers = logs.get(origin);
    return verifiers && { verifiers, latest: latest.get(origin) };
  });
  if (result.status === 409) {
    say(`refused: ${result.message}`);
    return { status: 409, body: `${result.size}\n`, type: 'text/x.tlog.size' };
  }
  if (result.status !== 200) {
    say(`refused: ${result.message}`);
    // A log that signed this may have misbehaved: the complete request is evidence.
    if (result.status === 422) say(text);
    return { status: result.status, body: `${result.message}\n` };
  }
  await writeLatestCheckpoints(folder, latest.set(result.origin, result.head));
  say(`cosigned ${result.head.size} entries of ${result.origin}`);
  const { note } = parseAddCheckpointRequest(text);
  const now = Math.floor(Date.now() / 1000);
  return { status: 200, body: keys.map((key) => cosign(note, key, now)).join('') };
}
