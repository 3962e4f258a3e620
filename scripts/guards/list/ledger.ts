import { features, type Guard, guard, migrations, test } from '../guard.ts';

const folder = `${features}/ledger`;
const sequence = test('ledger', 'sequence');

export const ledgerGuards: readonly Guard[] = [
  guard(
    'What contradicts what was signed is not signed',
    `${folder}/checkpoints.ts`,
    '  await refuseContradiction(tilesOf(tx, orgId, head.epoch), head, last, outside);\n',
    '',
    sequence,
  ),
  guard(
    'A halted ledger is added nothing to',
    `${folder}/sequence.ts`,
    'if (head === undefined || head.halted !== null) return 0;',
    'if (head === undefined) return 0;',
    sequence,
  ),
  guard(
    'A tile of the ledger only grows',
    `${migrations}/0048-ledger.sql`,
    'create trigger ledger_tile_grows before update or delete on ledger_tile\n  for each row execute function ledger_tile_grows();\n',
    '',
    sequence,
  ),
  guard(
    'A proof is given of what is signed',
    `${folder}/queries.ts`,
    '  if (!checkpoint || checkpoint.size <= index) throw tooYoung();\n',
    '  if (!checkpoint) throw tooYoung();\n',
    test('ledger'),
  ),
];
