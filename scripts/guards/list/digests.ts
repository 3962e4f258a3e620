import { domainsPath, type Mutation, mutation } from '../guard.ts';

const tests = 'domains/compliance/digests/digests.test.ts';
const file = `${domainsPath}/compliance/digests/commands.ts`;

export const digestGuards: readonly Mutation[] = [
  mutation(
    'A digest is signed as it was seen',
    file,
    'digest.bodySha256 !== said.bodySha256',
    "said.bodySha256 === ''",
    tests,
  ),
  mutation('A digest is signed off once', file, "digest.state === 'signed'", "digest.id === ''", tests),
  mutation(
    'Nobody decides about what they had a part in',
    file,
    'if (item.isMine) throw',
    "if (item.title === '') throw",
    tests,
  ),
  mutation('No item that one may decide is left out', file, 'if (open) throw', "if (open?.title === '') throw", tests),
];
