import { domainsPath, domainTest, type Mutation, migrationsPath, mutation } from '../guard.ts';

const folder = `${domainsPath}/ledger/ledger`;
const sequence = domainTest('ledger/ledger', 'sequence');
const witness = 'evidence/src/ledger/witness.ts';

export const ledgerGuards: readonly Mutation[] = [
  mutation(
    'What contradicts what was signed is not signed',
    `${folder}/checkpoints.ts`,
    '  await refuseContradiction(tileReaderOf(tx, orgId, head.epoch), head, last, outside);\n',
    '',
    sequence,
  ),
  mutation(
    'A halted ledger is added nothing to',
    `${folder}/sequence.ts`,
    'if (head === undefined || head.halted !== null) return 0;',
    'if (head === undefined) return 0;',
    sequence,
  ),
  mutation(
    'A tile of the ledger only grows',
    `${migrationsPath}/0005-ledger.sql`,
    'create trigger keep_ledger_tile before delete or update on ledger_tile\n  for each row execute function keep_ledger_tile();\n',
    '',
    sequence,
  ),
  mutation(
    'A proof is given of what is signed',
    `${folder}/queries.ts`,
    '  if (!checkpoint || checkpoint.size <= index) throw tooYoung();\n',
    '  if (!checkpoint) throw tooYoung();\n',
    domainTest('ledger/ledger'),
  ),
  mutation(
    'A witness begins where it stands',
    witness,
    "  if (oldSize !== latest.size) return conflict('The old size is not the latest cosigned size');\n",
    '',
    'evidence/src/ledger/witness.test.ts',
  ),
  mutation(
    'A witness cosigns nothing that it was shown no proof for',
    witness,
    'if (!isConsistent(latest, { size, root }, proof)) {',
    'if (proof.length > 63) {',
    'evidence/src/ledger/witness.test.ts',
  ),
  mutation(
    'A witness cosigns what is signed by the log',
    witness,
    '    openNote(addition.note, log.verifiers);\n',
    '',
    'evidence/src/ledger/witness.test.ts',
  ),
  mutation(
    'A witness keeps what it cosigns before it answers',
    'server/src/cli/witness/serve.ts',
    '  await writeLatestCheckpoints(folder, latest.set(result.origin, result.head));\n',
    '',
    'cli/witness.test.ts',
  ),
  mutation(
    'Of what a witness answers only good cosignatures are kept',
    `${folder}/anchors/witness.ts`,
    '      // By a key that nobody named here.\n',
    "      good.push({ line: line + '\\n', at: 1 });\n",
    domainTest('ledger/ledger', 'anchors/routes'),
  ),
  mutation(
    'A ledger that its witness knows otherwise is told of',
    `${folder}/anchors/witness.ts`,
    'await ledger.failed(orgId, ',
    'String(',
    domainTest('ledger/ledger', 'anchors/routes'),
  ),
  mutation(
    'A time stamp is signed for time stamps',
    'server/src/providers/time-stamps.ts',
    'if (!certificate.keyUsage?.includes(forTimeStamping)) {',
    'if (certificate.subject === undefined) {',
    'providers/time-stamps.test.ts',
  ),
  mutation(
    'A time stamp answers our request',
    'server/src/providers/time-stamps.ts',
    "  if (!said.nonce?.equals(nonce)) throw UpstreamFailed('The time stamp answers another request.');\n",
    '',
    'providers/time-stamps.test.ts',
  ),
  mutation(
    'git goes where the check said',
    'server/src/providers/git-remote.ts',
    'curloptResolve = ',
    'curloptOther = ',
    'providers/git-remote.test.ts',
  ),
  mutation(
    'git follows no redirect',
    'server/src/providers/git-remote.ts',
    "    'followRedirects = false',\n",
    '',
    'providers/git-remote.test.ts',
  ),
  mutation(
    'What somebody has of a ledger must be its beginning',
    `${folder}/check/anchors.ts`,
    "if (!proof || !isConsistent(from, to, proof)) reportAnchor('is not a prefix of the log');",
    'void [proof, isConsistent, from, to];',
    domainTest('ledger/ledger', 'check/anchors'),
  ),
];
