import { domainsPath, type Mutation, mutation } from '../guard.ts';

const tests = 'domains/compliance/digests/digests.test.ts';
const file = `${domainsPath}/compliance/digests/commands.ts`;

export const digestGuards: readonly Mutation[] = [
  mutation(
    'rejects a signature of another version of a digest',
    file,
    'digest.bodySha256 !== said.bodySha256',
    "said.bodySha256 === ''",
    tests,
  ),
  mutation('accepts one signature per digest', file, "digest.state === 'signed'", "digest.id === ''", tests),
  mutation(
    'rejects decisions on items that the actor took part in',
    file,
    'if (item.isMine) throw',
    "if (item.title === '') throw",
    tests,
  ),
  mutation(
    'requires decisions on all items before signing',
    file,
    'if (open) throw',
    "if (open?.title === '') throw",
    tests,
  ),
];
