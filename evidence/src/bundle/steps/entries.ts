import { fromBase64 } from '../../ledger/bytes.ts';
import { parseEntry } from '../../ledger/entry.ts';
import { isIncluded } from '../../ledger/proofs.ts';
import { leafHash } from '../../ledger/tree.ts';
import { completePersons, disclosedPath, type OpenedDisclosure, openPlaced, parseDisclosed } from '../disclosed.ts';
import { parseCanonicalLines } from '../lines.ts';
import { fileOf, type LeafEntry, requireStep, type VerificationState } from '../verification-state.ts';
import { stringListOf } from './checkpoint.ts';

/** Step 4: verifies the entries. */
export function checkEntries(state: VerificationState): string {
  const { manifest } = state;
  const head = requireStep(state.head);
  const entries = new Map<number, LeafEntry>();
  let last = -1;
  for (const { index, entry, proof } of parseCanonicalLines(
    'ledger/entries.jsonl',
    fileOf(state, 'ledger/entries.jsonl'),
    ['index', 'entry', 'proof'],
  )) {
    if (typeof index !== 'number' || typeof entry !== 'string' || index <= last)
      throw new Error('The entries are not in order');
    last = index;
    const parsed = parseEntry(entry);
    if (parsed.org !== manifest.org.id) throw new Error(`Entry ${index} belongs to another organization`);
    const hash = leafHash(entry);
    if (!isIncluded(hash, { index, size: head.size, proof: stringListOf(proof).map(fromBase64), root: head.root })) {
      throw new Error(`Entry ${index} does not match the ledger`);
    }
    entries.set(index, { ...parsed, index, hash });
  }
  state.entries = entries;
  return `${entries.size} entries.`;
}

/** Step 5: verifies the disclosures, of which each person has all of the snapshot or none. */
export function checkDisclosures(state: VerificationState): string {
  const { manifest } = state;
  const entries = requireStep(state.entries);
  const committed = [...entries.values()].reduce((sum, { commitments }) => sum + commitments.length, 0);
  const disclosed = manifest.redaction === 'people' ? [] : openedDisclosures(state, entries);
  const snapshot = parseDisclosed(fileOf(state, disclosedPath));
  const complete = completePersons(disclosed, snapshot);
  const partial = disclosed.find(({ person }) => !complete.has(person));
  if (partial) throw new Error(`The disclosures of person ${partial.person} are not all those of the snapshot`);
  state.snapshotDisclosures = snapshot;
  state.disclosed = disclosed;
  state.redactedCount = committed - disclosed.length;
  if (manifest.redaction === 'people') return `No disclosures: ${committed} commitments are redacted.`;
  state.undisclosedPersons = snapshot.length - complete.size;
  return `${disclosed.length} disclosed, ${state.redactedCount} redacted.`;
}

function openedDisclosures(
  state: VerificationState,
  entries: ReadonlyMap<number, LeafEntry>,
): readonly OpenedDisclosure[] {
  const path = 'ledger/disclosures.jsonl';
  const seen = new Set<string>();
  return parseCanonicalLines(path, fileOf(state, path), ['index', 'disclosure']).map(({ index, disclosure }) => {
    if (typeof index !== 'number' || typeof disclosure !== 'string') throw new Error(`${path} contains no disclosure`);
    const opened = openPlaced(entries.get(index), { index, disclosure });
    const key = `${index} ${disclosure}`;
    if (seen.has(key)) throw new Error(`A commitment of entry ${index} is disclosed twice`);
    seen.add(key);
    return opened;
  });
}
