import { type Mutation, mutation } from '../guard.ts';

const second = 'evidence/second';
const test = 'cli/second-verifier.test.ts';

/** What the verifier in Python holds. */
export const secondVerifierGuards: readonly Mutation[] = [
  mutation(
    'In Python too, what is signed is this bundle',
    `${second}/bundle.py`,
    'need(said == told,',
    'need(said and told,',
    `${test} > rejects packages tampered with`,
  ),
  mutation(
    'In Python too, a signature is one of the key',
    `${second}/ed25519.py`,
    'plus(times(8, nonce), times(8 * k, key)))',
    'times(8 * s, BASE))',
    `${test} > counts a cosignature`,
  ),
  mutation(
    'In Python too, a ledger goes on as it was handed out',
    `${second}/steps.py`,
    'need(bundle.earlier.get(size) == root,',
    'need(root,',
    `${test} > rejects a rewritten ledger`,
  ),
  mutation(
    'In Python too, a number is written in ASCII digits',
    `${second}/steps.py`,
    '[1-9][0-9]{0,15}',
    '[1-9]\\d{0,15}',
    `${test} > rejects packages tampered with`,
  ),
];
