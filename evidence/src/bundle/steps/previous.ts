import { equalBytes, fromBase64, textOf } from '../../ledger/bytes.ts';
import { openCheckpoint } from '../../ledger/checkpoint.ts';
import { parseCanonicalLines } from '../lines.ts';
import { fileOf, requireStep, type VerificationState, type VerifierInput } from '../verification-state.ts';
import { openBundle } from './archive.ts';

/** Step 9. Returns undefined without an earlier bundle. The checkpoint step verified the consistency proof itself. */
export function checkPrevious(state: VerificationState, { previous, keys }: VerifierInput): string | undefined {
  if (!previous) return undefined;
  const old = openBundle(previous, { keys });
  const { origin, epoch } = state.manifest.ledger;
  if (old.manifest.org.id !== state.manifest.org.id)
    throw new Error('The earlier bundle belongs to another organization');
  if (old.manifest.ledger.origin !== origin)
    throw new Error(`The ledger was restarted: epoch ${old.manifest.ledger.epoch}, now ${epoch}`);
  const head = openCheckpoint(textOf(fileOf(old, 'ledger/checkpoint')), origin, [old.signer]);
  const now = requireStep(state.head);
  if (head.size > now.size) throw new Error('The bundle given as the earlier one is later. Swap the two');
  if (head.size === now.size) {
    if (!equalBytes(head.root, now.root))
      throw new Error('The two bundles are from ledgers that differ at the same size');
    return 'Both have the same checkpoint.';
  }
  const shown = parseCanonicalLines('ledger/consistency.jsonl', fileOf(state, 'ledger/consistency.jsonl'), [
    'size',
    'root',
    'proof',
  ]);
  const proof = shown.find(({ size, root }) => size === head.size && equalBytes(fromBase64(String(root)), head.root));
  if (!proof)
    throw new Error(
      `The proof that the ledger of the earlier bundle, ${head.size} entries, is a prefix of this one is missing`,
    );
  return `It grew from ${head.size} to ${now.size} entries without changing earlier ones.`;
}
