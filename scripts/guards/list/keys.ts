import { type Mutation, mutation } from '../guard.ts';

const cli = 'server/src/cli';
const tests = 'cli/keys.test.ts';
const secrets = 'core/secrets.test.ts';
const revocation = 'domains/identity/authentication/key-rotation.test.ts';

export const keysGuards: readonly Mutation[] = [
  mutation(
    'A verified token is forgotten with the key that signed it',
    'server/src/core/tokens.ts',
    'if (version() !== knownFor) {',
    "if (version() === '' && knownFor !== '') {",
    revocation,
  ),
  mutation(
    'A revoked key is retired',
    'server/src/core/signing-keys.ts',
    '          ? eb.lit(true)',
    '          ? eb.lit(false)',
    revocation,
  ),
  mutation(
    'A rotation seals every secret anew',
    `${cli}/keys.ts`,
    'for (let found = 1; found > 0; count += found) found = await reencryptAll(owner, secrets, headers);',
    'count += headers.length;',
    tests,
  ),
  mutation(
    'A server sees a new master key',
    'server/src/core/secrets.ts',
    'if (source.stamp() !== stamp) read();',
    '',
    secrets,
  ),
  mutation(
    'A secret of a new master key is opened',
    'server/src/core/secrets.ts',
    '      if (!known.has(id) && performance.now() - readAt > lookEvery) read();\n',
    '',
    secrets,
  ),
  mutation(
    'Secrets are bound to their place',
    'server/src/core/secrets.ts',
    'JSON.stringify([version, org, table, field])',
    'JSON.stringify([version])',
    secrets,
  ),
  mutation(
    'The old master key leaves the machine',
    `${cli}/keys.ts`,
    '      if (isMasterKeyFile(config)) await deletePreviousMasterKeys(config.dataDir);\n',
    '',
    tests,
  ),
  mutation(
    'A delivery signed with the secret before is accepted while a webhook is rotated',
    'server/src/core/signatures.ts',
    '? [secret, previous] : [secret]',
    '? [secret] : [secret]',
    'cli/webhook-secrets.test.ts',
  ),
  mutation(
    'A delivery signed with the secret before is refused after that',
    'server/src/core/signatures.ts',
    '(until === null || until > new Date())',
    'true',
    'cli/webhook-secrets.test.ts',
  ),
  mutation(
    'A rotation that the host does not have yet goes on with its secret',
    'server/src/domains/sources/host-hooks/secrets.ts',
    'if (previous_secret === null || previous_until !== null) {',
    'if (true) {',
    'cli/webhook-secrets.test.ts',
  ),
  mutation(
    'The webhook before is taken away at Checkmarx One',
    'server/src/domains/vulnerabilities/checkmarx/sync.ts',
    'if (hook_id !== null) await tenant.deleteWebhook(hook_id);',
    '',
    'cli/webhook-secrets.test.ts',
  ),
];
