import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openMasterKeys } from '#core/master-keys.ts';
import { createSecrets } from '#core/secrets.ts';
import { loadSigningKeys } from '#core/signing-keys.ts';
import { openDatabase } from '#database/database.ts';
import type { Config } from '../../config.ts';
import { withClient } from '../schema.ts';
import { type DoctorCheck, failedCheck, passedCheck, warningCheck } from './check.ts';

/** Does not create a key: a new one could not decrypt anything in an old database. */
export async function checkMasterKey(config: Config): Promise<DoctorCheck> {
  const { MASTER_KEY, KEY_COMMAND, dataDir } = config;
  const name = 'master key';
  if (KEY_COMMAND !== undefined) return checkKeyCommand(config);
  if (MASTER_KEY !== undefined) return passedCheck(name, 'from MASTER_KEY');
  const path = join(dataDir, 'master.key');
  const file = await stat(path).catch(() => undefined);
  if (!file) return failedCheck(name, `${path} is missing`, 'Set MASTER_KEY, or restore the file from a backup.');
  await openMasterKeys(config);
  return (file.mode & 0o077) === 0
    ? passedCheck(name, `${path}, readable by its owner only`)
    : warningCheck(name, `${path} is readable by other users`, `Run: chmod 600 ${path}`);
}

async function checkKeyCommand(config: Config): Promise<DoctorCheck> {
  try {
    await openMasterKeys(config);
    return passedCheck('master key', 'from KEY_COMMAND');
  } catch (error) {
    return failedCheck('master key', (error as Error).message, 'It must print the key in base64 and exit with code 0.');
  }
}

/** Decrypts the token signing keys, which also proves that the master key is correct. */
export async function checkSigningKey(config: Config, ownerUrl: string): Promise<DoctorCheck> {
  const name = 'signing key';
  const found = await withClient(ownerUrl, (client) => client.query('select from oidc_key where retired_at is null'));
  if (found.rows.length === 0) return warningCheck(name, 'none exists', 'The first start creates it: npm start');
  if ((await checkMasterKey(config)).state === 'fail')
    return failedCheck(name, 'cannot be decrypted without the master key');
  const secrets = createSecrets(await openMasterKeys(config));
  const database = openDatabase({ url: ownerUrl, max: 1, onError: () => undefined });
  try {
    const keys = await loadSigningKeys(database, secrets);
    keys.close();
    return passedCheck(name, `${keys.private.keys[0]?.kid} can be decrypted with the master key`);
  } catch {
    return failedCheck(
      name,
      'cannot be decrypted with this master key',
      'Restore the MASTER_KEY or master.key of this database.',
    );
  } finally {
    await database.close();
  }
}
