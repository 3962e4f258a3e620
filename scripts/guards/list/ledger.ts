import { domainsPath, domainTest, type Mutation, migrationsPath, mutation } from '../guard.ts';

const folder = `${domainsPath}/ledger/ledger`;
const sequence = domainTest('ledger/ledger', 'sequence');
const witness = 'evidence/src/ledger/witness.ts';

export const ledgerGuards: readonly Mutation[] = [
  mutation(
    'rejects a checkpoint that contradicts an earlier one',
    `${folder}/checkpoints.ts`,
    '  await refuseContradiction(tileReaderOf(tx, orgId, head.epoch), head, last, outside);\n',
    '',
    sequence,
  ),
  mutation(
    'appends nothing to a halted ledger',
    `${folder}/sequence.ts`,
    'if (head === undefined || head.halted !== null) return 0;',
    'if (head === undefined) return 0;',
    sequence,
  ),
  mutation(
    'rejects updates of sequenced tiles',
    `${migrationsPath}/0005-ledger.sql`,
    'create trigger keep_ledger_tile before delete or update on ledger_tile\n  for each row execute function keep_ledger_tile();\n',
    '',
    sequence,
  ),
  mutation(
    'returns proofs only for signed entries',
    `${folder}/queries.ts`,
    '  if (!checkpoint || checkpoint.size <= index) throw tooYoung();\n',
    '  if (!checkpoint) throw tooYoung();\n',
    domainTest('ledger/ledger'),
  ),
  mutation(
    'rejects a witness request that does not start at the latest cosigned size',
    witness,
    "  if (oldSize !== latest.size) return conflict('The old size is not the latest cosigned size');\n",
    '',
    'evidence/src/ledger/witness.test.ts',
  ),
  mutation(
    'cosigns only checkpoints with a valid consistency proof',
    witness,
    'if (!isConsistent(latest, { size, root }, proof)) {',
    'if (proof.length > 63) {',
    'evidence/src/ledger/witness.test.ts',
  ),
  mutation(
    'cosigns only checkpoints signed by the log',
    witness,
    '    openNote(addition.note, log.verifiers);\n',
    '',
    'evidence/src/ledger/witness.test.ts',
  ),
  mutation(
    'stores a cosigned checkpoint before responding',
    'server/src/cli/witness/serve.ts',
    '  await writeLatestCheckpoints(folder, latest.set(result.origin, result.head));\n',
    '',
    'cli/witness.test.ts',
  ),
  mutation(
    'keeps only cosignatures of configured witnesses',
    `${folder}/anchors/witness.ts`,
    '      // By a key that nobody named here.\n',
    "      good.push({ line: line + '\\n', at: 1 });\n",
    domainTest('ledger/ledger', 'anchors/routes'),
  ),
  mutation(
    'reports a ledger that contradicts its witness',
    `${folder}/anchors/witness.ts`,
    'await ledger.failed(orgId, ',
    'String(',
    domainTest('ledger/ledger', 'anchors/routes'),
  ),
  mutation(
    "requires the time-stamping key usage of a time stamp's certificate",
    'server/src/providers/time-stamps.ts',
    'if (!certificate.keyUsage?.includes(forTimeStamping)) {',
    'if (certificate.subject === undefined) {',
    'providers/time-stamps.test.ts',
  ),
  mutation(
    'rejects a time stamp with another nonce',
    'server/src/providers/time-stamps.ts',
    "  if (!said.nonce?.equals(nonce)) throw UpstreamFailed('The time stamp answers another request.');\n",
    '',
    'providers/time-stamps.test.ts',
  ),
  mutation(
    'connects git to the verified address',
    'server/src/providers/git-remote.ts',
    'curloptResolve = ',
    'curloptOther = ',
    'providers/git-remote.test.ts',
  ),
  mutation(
    'follows no redirects of git remotes',
    'server/src/providers/git-remote.ts',
    "    'followRedirects = false',\n",
    '',
    'providers/git-remote.test.ts',
  ),
  mutation(
    'rejects a published checkpoint that is not a prefix of the log',
    `${folder}/check/anchors.ts`,
    "if (!proof || !isConsistent(from, to, proof)) reportAnchor('is not a prefix of the log');",
    'void [proof, isConsistent, from, to];',
    domainTest('ledger/ledger', 'check/anchors'),
  ),
];
