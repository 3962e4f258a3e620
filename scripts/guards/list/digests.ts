import { domains, type Guard, guard } from '../guard.ts';

const tests = 'domains/compliance/digests/digests.test.ts';
const file = `${domains}/compliance/digests/commands.ts`;

export const digestGuards: readonly Guard[] = [
  guard(
    'A digest is signed as it was seen',
    file,
    'digest.bodySha256 !== said.bodySha256',
    "said.bodySha256 === ''",
    tests,
  ),
  guard('A digest is signed off once', file, "digest.state === 'signed'", "digest.id === ''", tests),
  guard(
    'Nobody decides about what they had a part in',
    file,
    'if (item.isMine) throw',
    "if (item.title === '') throw",
    tests,
  ),
  guard('No item that one may decide is left out', file, 'if (open) throw', "if (open?.title === '') throw", tests),
];
