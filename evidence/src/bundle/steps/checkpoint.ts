import { type Bytes, equalBytes, fromBase64, textOf, toBase64, utf8 } from '../../ledger/bytes.ts';
import { type CanonicalValue, isList, isRecord } from '../../ledger/canonical.ts';
import { openCheckpoint } from '../../ledger/checkpoint.ts';
import { signerNamesIn, splitNote } from '../../ledger/note.ts';
import { isConsistent } from '../../ledger/proofs.ts';
import { isTimestampOf } from '../../ledger/timestamp.ts';
import { parseCanonicalJson, parseCanonicalLines } from '../lines.ts';
import type { Anchor } from '../scope.ts';
import { fileOf, type VerificationState, type VerifierInput } from '../verification-state.ts';

/** Step 3: verifies the checkpoint, its external confirmations, and consistency with the earlier trees. */
export async function checkCheckpoint(
  state: VerificationState,
  { witnesses = [], checkTimestamp }: VerifierInput,
): Promise<string> {
  const { manifest, signer, files } = state;
  const { origin, size } = manifest.ledger;
  const note = fileOf(state, 'ledger/checkpoint');
  const head = openCheckpoint(textOf(note), origin, [signer, ...witnesses]);
  if (!head.signed.some(({ by }) => by === signer))
    throw new Error('The checkpoint is not signed with the key of the log');
  const names = signerNamesIn(textOf(note));
  if (names.filter((name) => name === origin).length > 1)
    throw new Error('The checkpoint has more than one signature in the name of the log');
  if (head.size !== size) throw new Error(`The checkpoint has ${head.size} entries, the manifest states ${size}`);
  state.head = head;
  state.cosigned = head.signed.filter(({ by }) => by !== signer);
  state.unknownSigners = names.filter((name) => !head.signed.some(({ by }) => by.name === name));
  state.anchors = anchorsOf(parseCanonicalJson(textOf(fileOf(state, 'ledger/anchors.json')), 'ledger/anchors.json'));
  const stamp = files.get('ledger/checkpoint.tsr');
  state.hasTimestamp = stamp !== undefined;
  if (stamp) state.timestampedAt = await maybeTimeOf(stamp, utf8(splitNote(textOf(note)).text), checkTimestamp);
  const earlier = parseCanonicalLines('ledger/consistency.jsonl', fileOf(state, 'ledger/consistency.jsonl'), [
    'size',
    'root',
    'proof',
  ]);
  let last = -1;
  for (const { size: before, root, proof } of earlier) {
    const from = { size: Number(before), root: fromBase64(String(root)) };
    if (from.size <= last) throw new Error('ledger/consistency.jsonl is not in ascending order of size');
    last = from.size;
    if (!isConsistent(from, head, stringListOf(proof).map(fromBase64))) {
      throw new Error(`The tree of ${from.size} entries is not a prefix of the ledger`);
    }
  }
  const { evaluated } = manifest;
  const isSame = evaluated.size === head.size && equalBytes(fromBase64(evaluated.root), head.root);
  if (!isSame && !earlier.some(({ size: before, root }) => before === evaluated.size && root === evaluated.root)) {
    throw new Error('The proof that the evaluated tree is a prefix of the ledger is missing');
  }
  return [
    `${size} entries, root ${toBase64(head.root)}.`,
    state.cosigned.length > 0
      ? `Cosigned by ${state.cosigned.map(({ by }) => by.name).join(', ')}.`
      : 'No cosignature was verified.',
    state.unknownSigners.length > 0
      ? `Without their keys, signatures of ${state.unknownSigners.join(', ')} were not verified.`
      : '',
    stamp
      ? state.timestampedAt === undefined
        ? 'Its timestamp was not verified: no certificate of an authority was given.'
        : `Timestamp: ${state.timestampedAt}.`
      : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/** The time of a timestamp; undefined without an authority to verify it. Throws if it is of something else. */
async function maybeTimeOf(
  stamp: Bytes,
  text: Bytes,
  checkTimestamp: VerifierInput['checkTimestamp'],
): Promise<string | undefined> {
  if (!isTimestampOf(stamp, text)) throw new Error('The timestamp is not one of the checkpoint');
  return checkTimestamp?.(stamp, text);
}

function anchorsOf(value: CanonicalValue): Anchor[] {
  if (!isList(value)) throw new Error('ledger/anchors.json is not a list');
  return value.map((one) => {
    const { kind, party, size, at } = isRecord(one) ? one : {};
    if (typeof kind !== 'string' || typeof party !== 'string' || typeof size !== 'number' || typeof at !== 'string') {
      throw new Error('ledger/anchors.json contains an invalid anchor');
    }
    return { kind, party, size, at };
  });
}

export function stringListOf(value: CanonicalValue | undefined): readonly string[] {
  if (value === undefined || !isList(value) || !value.every((one) => typeof one === 'string')) {
    throw new Error('A proof is not a list of hashes');
  }
  return value as readonly string[];
}
