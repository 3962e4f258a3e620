import { fromBase64 } from '../../ledger/bytes.ts';
import { openDisclosure, parseEntry } from '../../ledger/entry.ts';
import { isIncluded } from '../../ledger/proofs.ts';
import { leafHash } from '../../ledger/tree.ts';
import { parseCanonicalLines } from '../lines.ts';
import type { OpenedField } from '../openings.ts';
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

/** Step 5: verifies the disclosures. */
export function checkDisclosures(state: VerificationState): string {
  const entries = requireStep(state.entries);
  const committed = [...entries.values()].reduce((sum, { commitments }) => sum + commitments.length, 0);
  state.redactedCount = committed;
  const disclosed: OpenedField[] = [];
  state.disclosed = disclosed;
  if (state.manifest.redaction === 'people') return `No disclosures: ${committed} commitments are redacted.`;
  const seen = new Set<string>();
  for (const { index, disclosure } of parseCanonicalLines(
    'ledger/disclosures.jsonl',
    fileOf(state, 'ledger/disclosures.jsonl'),
    ['index', 'disclosure'],
  )) {
    const entry = entries.get(Number(index));
    if (!entry || typeof disclosure !== 'string')
      throw new Error(`A disclosure refers to the missing entry ${String(index)}`);
    disclosed.push({ index: entry.index, ...openDisclosure(entry, disclosure) });
    const key = `${String(index)} ${disclosure}`;
    if (seen.has(key)) throw new Error(`A commitment of entry ${String(index)} is disclosed twice`);
    seen.add(key);
  }
  state.redactedCount = committed - seen.size;
  return `${seen.size} disclosed, ${state.redactedCount} redacted.`;
}
