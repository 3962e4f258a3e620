import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Refusal } from '#core/errors.ts';
import { isMasterKeyFile, masterKeyPath, openMasterKeys } from '#core/master-keys.ts';
import type { Config } from '../../config.ts';
import { canDecrypt, decryptWith, readDecrypted, readIdentities, type StreamTransform } from './encryption.ts';
import { type Manifest, readManifest, type UnverifiedManifest } from './manifest.ts';

/** A backup whose files are all verified. */
export interface VerifiedBackup {
  folder: string;
  manifest: Manifest;
  decrypt: StreamTransform;
  masterKey: Buffer;
  /** The master key comes from the backup, because this machine has none. */
  containsKey: boolean;
}

/**
 * Finds the master key of a backup, in the environment, the data directory or the backup itself, and verifies every
 * file with it. Rejects a wrong or missing key, and any change.
 */
export async function openBackup(
  config: Config,
  given: string,
  identityFile: string | undefined,
): Promise<VerifiedBackup> {
  const folder = resolve(given);
  const unverified = await readManifest(folder);
  const identities = await readIdentities(identityFile);
  const isEncrypted = unverified.recipients.length > 0;
  if (isEncrypted && identities.length === 0) {
    const advice = 'Specify the identity file of one of them: --identity FILE.';
    throw new Refusal(
      'validation_failed',
      `The backup is encrypted for ${unverified.recipients.join(', ')}. ${advice}`,
    );
  }
  const decrypt = decryptWith(isEncrypted ? identities : []);
  const found = await findKey(config, folder, unverified, decrypt);
  const manifest = await unverified.verify(found.masterKey);
  const [first] = manifest.tables;
  if (isEncrypted && first && !(await canDecrypt(join(folder, first.file), decrypt))) throw wrongIdentity();
  return { folder, manifest, decrypt, ...found };
}

async function findKey(
  config: Config,
  folder: string,
  backup: UnverifiedManifest,
  decrypt: StreamTransform,
): Promise<{ masterKey: Buffer; containsKey: boolean }> {
  const here = await keysHere(config);
  const brought =
    here.length === 0 && backup.hasMasterKey ? Buffer.from(await keyIn(folder, backup, decrypt), 'base64') : undefined;
  const masterKey = [...here, ...(brought ? [brought] : [])].find((key) => backup.isKey(key));
  if (masterKey) return { masterKey, containsKey: brought !== undefined };
  const own = masterKeyPath(config.dataDir);
  if (here.length === 0 && !brought) {
    const advice = `Store it as ${own}, or set MASTER_KEY.`;
    throw new Refusal('validation_failed', `The backup needs the master key of its installation. ${advice}`);
  }
  const which = brought
    ? 'The key in the folder'
    : isMasterKeyFile(config)
      ? own
      : config.KEY_COMMAND === undefined
        ? 'MASTER_KEY'
        : 'The key of KEY_COMMAND';
  throw new Refusal('validation_failed', `${which} is not the master key of this backup.`);
}

/** Returns the master keys of this machine, including old ones. Does not create one. */
async function keysHere(config: Config): Promise<Buffer[]> {
  const path = masterKeyPath(config.dataDir);
  if (isMasterKeyFile(config) && !(await stat(path).catch(() => undefined))) return [];
  const { current, others } = (await openMasterKeys(config)).read();
  return [current, ...others];
}

async function keyIn(folder: string, { recipients }: UnverifiedManifest, decrypt: StreamTransform): Promise<string> {
  const file = recipients.length > 0 ? 'master.key.age' : 'master.key';
  const key = await readDecrypted(join(folder, file), decrypt).catch(() => {
    throw wrongIdentity();
  });
  return key.toString();
}

const wrongIdentity = () => new Refusal('validation_failed', 'The --identity file cannot decrypt this backup.');
