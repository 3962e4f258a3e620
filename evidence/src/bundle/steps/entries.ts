import { fromBase64 } from '../../ledger/bytes.ts';
import { parseEntry } from '../../ledger/entry.ts';
import { isIncluded } from '../../ledger/proofs.ts';
import { leafHash } from '../../ledger/tree.ts';
import { accountsIn } from '../accounts.ts';
import {
  completePersons,
  disclosedPath,
  isCounted,
  type OpenedDisclosure,
  openPlaced,
  parseDisclosed,
} from '../disclosed.ts';
import { type DisclosureKey, parseDisclosureKey, placedDisclosureOf } from '../disclosure-key.ts';
import { parseCanonicalLines } from '../lines.ts';
import { namesIn, requireRepositoryNames } from '../names.ts';
import { recordsKind, sealIn } from '../records.ts';
import type { Redaction } from '../redaction.ts';
import type { PlacedDisclosure } from '../scope.ts';
import {
  fileOf,
  type LeafEntry,
  requireStep,
  type VerificationState,
  type VerifierInput,
} from '../verification-state.ts';
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

/**
 * Step 5: verifies the disclosures of the bundle, and those of the given key. Of each person they contain all of the
 * snapshot or none, and names of all repositories or of none.
 */
export function checkDisclosures(state: VerificationState, { disclosureKey }: VerifierInput): string {
  const { manifest } = state;
  const entries = requireStep(state.entries);
  const snapshot = parseDisclosed(fileOf(state, disclosedPath));
  state.snapshotDisclosures = snapshot;
  const own = manifest.redaction === 'all' ? [] : openedDisclosures(disclosuresOf(state), entries);
  const complete = requireDisclosures(state, own, manifest.redaction);
  const added = disclosureKey ? keyDisclosures(state, parseDisclosureKey(disclosureKey), own) : [];
  const all = [...own, ...added];
  const opened = disclosureKey ? requireDisclosures(state, all, 'none') : complete;
  state.disclosed = own;
  state.disclosedNames = namesIn([...entries.values()], own, manifest.evaluated.size);
  state.openedNames = namesIn([...entries.values()], all, manifest.evaluated.size);
  state.openedPeople = accountsIn(entries.values(), all, manifest.evaluated.size, manifest);
  // Entries of other snapshots commit to names that only their bundles disclose.
  const seal = sealIn([...entries.values()], manifest)?.index;
  const committed = [...entries.values()]
    .filter(({ index, kind }) => kind !== recordsKind || index === seal)
    .reduce((sum, { commitments }) => sum + commitments.length, 0);
  state.redactedCount = committed - all.length;
  if (disclosureKey || manifest.redaction === 'none' || manifest.redaction === 'names') {
    state.undisclosedPersons = snapshot.length - opened.size;
  }
  const byKey = disclosureKey ? ` ${added.length} of them by the given key.` : '';
  return `${all.length} disclosed, ${state.redactedCount} redacted.${byKey}`;
}

const disclosuresPath = 'ledger/disclosures.jsonl';

const disclosuresOf = (state: VerificationState): PlacedDisclosure[] =>
  parseCanonicalLines(disclosuresPath, fileOf(state, disclosuresPath), ['index', 'disclosure']).map(placedDisclosureOf);

function openedDisclosures(
  disclosures: readonly PlacedDisclosure[],
  entries: ReadonlyMap<number, LeafEntry>,
): readonly OpenedDisclosure[] {
  const seen = new Set<string>();
  return disclosures.map(({ index, disclosure }) => {
    const opened = openPlaced(entries.get(index), { index, disclosure });
    const key = `${index} ${disclosure}`;
    if (seen.has(key)) throw new Error(`A commitment of entry ${index} is disclosed twice`);
    seen.add(key);
    return opened;
  });
}

/** Opens what a key adds to the disclosures of a bundle. Throws for the key of another bundle. */
function keyDisclosures(
  state: VerificationState,
  { origin, snapshot, disclosures }: DisclosureKey,
  own: readonly OpenedDisclosure[],
): readonly OpenedDisclosure[] {
  const { manifest } = state;
  const entries = requireStep(state.entries);
  if (origin !== manifest.ledger.origin || snapshot !== sealIn([...entries.values()], manifest)?.id) {
    throw new Error('The disclosure key is that of another bundle');
  }
  const known = new Set(own.map(({ index, commitment }) => `${index} ${commitment}`));
  return openedDisclosures(disclosures, entries).filter(
    ({ index, commitment }) => !known.has(`${index} ${commitment}`),
  );
}

/**
 * Throws unless the disclosures are those of a redaction. Returns the persons whose disclosures are all those of the
 * snapshot.
 */
function requireDisclosures(
  state: VerificationState,
  disclosures: readonly OpenedDisclosure[],
  redaction: Redaction,
): ReadonlySet<string> {
  const { manifest } = state;
  const entries = [...requireStep(state.entries).values()];
  const counted = disclosures.filter(isCounted);
  const complete = completePersons(counted, requireStep(state.snapshotDisclosures));
  const partial = counted.find(({ person }) => !complete.has(person ?? ''));
  if (partial) throw new Error(`The disclosures of person ${partial.person} are not all those of the snapshot`);
  const [named, repositories] = [
    disclosures.filter((one) => !isCounted(one) && one.person !== null),
    disclosures.filter(({ person }) => person === null),
  ];
  const seal = sealIn(entries, manifest)?.index;
  if (named.some(({ index, value }) => index !== seal || typeof value !== 'string')) {
    throw new Error('A name of a person is not that of the snapshot');
  }
  const isExcluded =
    (redaction !== 'none' && named.length > 0) ||
    ((redaction === 'people' || redaction === 'all') && counted.length > 0);
  if (isExcluded) throw new Error('The bundle discloses data that it states as redacted');
  if (redaction !== 'all') requireRepositoryNames(entries, repositories, manifest.evaluated.size, manifest);
  return complete;
}
