import { type Mutation, mutation } from '../guard.ts';

const second = 'evidence/second';
const test = 'cli/second-verifier.test.ts';

/** What the verifier in Python holds. */
export const secondVerifierGuards: readonly Mutation[] = [
  mutation(
    'rejects a signature of another bundle, in Python',
    `${second}/bundle.py`,
    'need(said == told,',
    'need(said and told,',
    `${test} > rejects every package tampered with`,
  ),
  mutation(
    'rejects a signature of another key, in Python',
    `${second}/ed25519.py`,
    'plus(times(8, nonce), times(8 * k, key)))',
    'times(8 * s, BASE))',
    `${test} > counts a cosignature`,
  ),
  mutation(
    'rejects a rewritten ledger, in Python',
    `${second}/steps.py`,
    'need(bundle.earlier.get(size) == root,',
    'need(root,',
    `${test} > rejects a rewritten ledger`,
  ),
  mutation(
    'rejects numbers in non-ASCII digits, in Python',
    `${second}/steps.py`,
    '[1-9][0-9]{0,15}',
    '[1-9]\\d{0,15}',
    `${test} > rejects every package tampered with`,
  ),
];
