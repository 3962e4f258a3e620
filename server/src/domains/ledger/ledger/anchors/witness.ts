import { openNote, parseVerifier, splitNote, type Verifier } from '@sightline/evidence/ledger/note.ts';
import { consistencyProof } from '@sightline/evidence/ledger/proofs.ts';
import { addCheckpointRequestText } from '@sightline/evidence/ledger/witness.ts';
import { Invalid, UpstreamFailed } from '#core/errors.ts';
import type { Outbound } from '#core/outbound.ts';
import type { Services } from '#core/services.ts';
import { tileReaderOf } from '../head.ts';
import type { Kind, Publication, SettingsOf } from './kind.ts';

type WitnessSettings = SettingsOf<'witness'>;

/** Has a witness cosign the checkpoint (C2SP tlog-witness), which it does only if the ledger has done nothing but grow. */
export const witness: Kind<WitnessSettings> = {
  async check(outbound, { url, key }) {
    await outbound.check('settings.url', url);
    keyOf(key);
  },
  async publish({ database, ledger, outbound }, publication) {
    let { before } = publication;
    // It may have seen more than we remember, such as what another server of this installation left.
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await add({ database, outbound }, publication, before);
      if (answer.status !== 409) return receiptOf(answer, publication);
      const seen = sizeOf(answer.body);
      if (seen > publication.checkpoint.size) {
        await contradicts({ ledger }, publication, `has cosigned ${seen} entries, and the ledger has fewer`);
      }
      if (seen === before) await contradicts({ ledger }, publication, `has cosigned another ledger of ${seen} entries`);
      before = seen;
    }
    throw UpstreamFailed('The witness returned conflicting sizes three times.');
  },
};

type WitnessAnswer = { status: number; body: string };

async function add(
  { database, outbound }: Pick<Services, 'database'> & { outbound: Outbound },
  publication: Publication<WitnessSettings>,
  before: number,
): Promise<WitnessAnswer> {
  const { orgId, settings, checkpoint } = publication;
  const { epoch, size, note } = checkpoint;
  const proof = await database.withOrg(orgId, (tx) => consistencyProof(tileReaderOf(tx, orgId, epoch), before, size));
  return outbound.fetch(
    'url',
    `${settings.url.replace(/\/+$/, '')}/add-checkpoint`,
    {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: addCheckpointRequestText({ oldSize: before, proof, note }),
    },
    { size: 64 * 1024 },
  );
}

async function receiptOf({ status, body }: WitnessAnswer, publication: Publication<WitnessSettings>) {
  if (status === 404) throw UpstreamFailed('The witness does not know this ledger. Register the public key there.');
  if (status === 403)
    throw UpstreamFailed('The witness has a different key of this ledger. Register the current one there.');
  if (status !== 200) throw UpstreamFailed(`The witness responded with status ${status}.`);
  const verifier = keyOf(publication.settings.key);
  const { lines, at } = cosignatures(publication.checkpoint.note, body, verifier);
  const time = new Date(at * 1000).toISOString();
  return { receipt: Buffer.from(lines), message: `${verifier.name} cosigned at ${time}.` };
}

/** The lines of the answer that are good cosignatures of the key; whatever else it says is passed over. */
function cosignatures(note: string, body: string, verifier: Verifier): { lines: string; at: number } {
  const good: { line: string; at: number }[] = [];
  for (const line of body.split('\n').filter((one) => one !== '')) {
    try {
      const { signed } = openNote(`${splitNote(note).text}\n${line}\n`, [verifier]);
      good.push(...signed.map(({ at = 0 }) => ({ line: `${line}\n`, at })));
    } catch {
      // By a key that nobody named here.
    }
  }
  const [first] = good;
  if (!first) throw UpstreamFailed('The response of the witness has no cosignature of the configured key.');
  return { lines: good.map(({ line }) => line).join(''), at: first.at };
}

/** The witness holds something that this ledger is no continuation of: one of the two was changed, and people must know. */
async function contradicts(
  { ledger }: Pick<Services, 'ledger'>,
  { orgId }: Publication<WitnessSettings>,
  message: string,
): Promise<never> {
  await ledger.failed(orgId, `A witness ${message}`);
  throw UpstreamFailed(`The witness ${message}: this ledger was changed or reset afterwards.`);
}

function sizeOf(body: string): number {
  const size = Number(body.trim());
  if (!/^\d{1,16}\n?$/.test(body) || !Number.isSafeInteger(size)) {
    throw UpstreamFailed('The witness rejected the checkpoint without its latest size.');
  }
  return size;
}

function keyOf(text: string): Verifier {
  const verifier = (() => {
    try {
      return parseVerifier(text);
    } catch {
      return undefined;
    }
  })();
  if (verifier === undefined || verifier.algorithm === 'ed25519')
    throw Invalid('settings.key', 'must be the public key of a witness');
  return verifier;
}
