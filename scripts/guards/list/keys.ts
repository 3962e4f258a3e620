import { type Mutation, mutation } from '../guard.ts';

const cli = 'server/src/cli';
const tests = 'cli/keys.test.ts';
const secrets = 'core/secrets.test.ts';
const revocation = 'domains/identity/authentication/key-rotation.test.ts';

export const keysGuards: readonly Mutation[] = [
  mutation(
    'discards cached tokens when the signing keys change',
    'server/src/core/tokens.ts',
    'if (version() !== knownFor) {',
    "if (version() === '' && knownFor !== '') {",
    revocation,
  ),
  mutation(
    'retires revoked signing keys',
    'server/src/core/signing-keys.ts',
    '          ? eb.lit(true)',
    '          ? eb.lit(false)',
    revocation,
  ),
  mutation(
    'reencrypts every secret on rotation',
    `${cli}/keys.ts`,
    'for (let found = 1; found > 0; count += found) found = await reencryptAll(owner, secrets, headers);',
    'count += headers.length;',
    tests,
  ),
  mutation(
    'reloads the master key after a change',
    'server/src/core/secrets.ts',
    'if (source.stamp() !== stamp) read();',
    '',
    secrets,
  ),
  mutation(
    'reloads master keys for a secret with an unknown key',
    'server/src/core/secrets.ts',
    '      if (!known.has(id) && performance.now() - readAt > lookEvery) read();\n',
    '',
    secrets,
  ),
  mutation(
    'binds a sealed secret to its organization, table and field',
    'server/src/core/secrets.ts',
    'JSON.stringify([version, org, table, field])',
    'JSON.stringify([version])',
    secrets,
  ),
  mutation(
    'deletes the previous master key after rotation',
    `${cli}/keys.ts`,
    '      if (isMasterKeyFile(config)) await deletePreviousMasterKeys(config.dataDir);\n',
    '',
    tests,
  ),
  mutation(
    'accepts the previous webhook secret during rotation',
    'server/src/core/signatures.ts',
    '? [secret, previous] : [secret]',
    '? [secret] : [secret]',
    'cli/webhook-secrets.test.ts',
  ),
  mutation(
    'rejects the previous webhook secret after rotation',
    'server/src/core/signatures.ts',
    '(until === null || until > new Date())',
    'true',
    'cli/webhook-secrets.test.ts',
  ),
  mutation(
    'resumes an incomplete webhook rotation with its secret',
    'server/src/domains/sources/host-hooks/secrets.ts',
    'if (previous_secret === null || previous_until !== null) {',
    'if (true) {',
    'cli/webhook-secrets.test.ts',
  ),
  mutation(
    'deletes the previous webhook at Checkmarx One',
    'server/src/domains/vulnerabilities/scanners/sync.ts',
    'if (hook_id !== null) await webhooks.delete(hook_id);',
    '',
    'cli/webhook-secrets.test.ts',
  ),
];
