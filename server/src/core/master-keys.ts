import { execFileSync } from 'node:child_process';
import { hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const masterKeyBytes = 32;

/** The master keys under which secrets are sealed. */
export interface MasterKeys {
  /** The key that seals. */
  current: Buffer;
  /** Keys that open secrets sealed before a rotation, or by a node that was rotated first. */
  others: readonly Buffer[];
}

export interface MasterKeySource {
  read: () => MasterKeys;
  /** Changes with the keys if a change is detectable without reading them; otherwise constant. */
  stamp: () => string;
}

/** The source of the master key. */
export interface MasterKeyConfig {
  MASTER_KEY?: string | undefined;
  MASTER_KEY_OTHERS?: readonly string[];
  /** A command that prints base64 keys, one per line, the current one first, for example from a KMS. */
  KEY_COMMAND?: string | undefined;
  dataDir: string;
}

const commandTimeoutMs = 30_000;

/** The ID of a master key, which reveals nothing about the key. */
export const masterKeyId = (masterKey: Buffer): string =>
  Buffer.from(hkdfSync('sha256', masterKey, '', 'sightline master key id', 8)).toString('hex');

/**
 * Opens the master key from `KEY_COMMAND`, from the environment, or from a 0600 file in the data directory. Creates a
 * missing file only if `mayCreate` confirms that nothing is sealed yet: a new key cannot open existing secrets.
 */
export async function openMasterKeys(
  config: MasterKeyConfig,
  mayCreate: () => Promise<boolean> = async () => false,
): Promise<MasterKeySource> {
  const source = sourceOf(config);
  if (isMasterKeyFile(config) && readIfThere(masterKeyPath(config.dataDir)) === '') {
    if (!(await mayCreate())) throw new Error(missingText(masterKeyPath(config.dataDir)));
    await createFile(config.dataDir);
  }
  source.read();
  return source;
}

const missingText = (path: string) =>
  `${path} is missing. It is the only key for the secrets in the database. ` +
  'Restore it from a backup, or set MASTER_KEY or KEY_COMMAND. A new key is created only for an empty database.';

/** Whether the master key is a file in the data directory. */
export const isMasterKeyFile = ({ MASTER_KEY, KEY_COMMAND }: MasterKeyConfig): boolean =>
  MASTER_KEY === undefined && KEY_COMMAND === undefined;

export const masterKeyPath = (dataDir: string): string => join(dataDir, 'master.key');
const previousPathOf = (dataDir: string): string => join(dataDir, 'master.key.previous');

function sourceOf({ MASTER_KEY, MASTER_KEY_OTHERS = [], KEY_COMMAND, dataDir }: MasterKeyConfig): MasterKeySource {
  const constant = () => '';
  if (KEY_COMMAND !== undefined) {
    // The command runs once: any client can send a secret with an unknown key ID, which must not run it again.
    const keys = parseKeys(runCommand(KEY_COMMAND), 'KEY_COMMAND');
    return { read: () => keys, stamp: constant };
  }
  if (MASTER_KEY !== undefined) {
    const keys = parseKeys([MASTER_KEY, ...MASTER_KEY_OTHERS].join('\n'), 'MASTER_KEY');
    return { read: () => keys, stamp: constant };
  }
  const path = masterKeyPath(dataDir);
  return {
    read: () => parseKeys(`${readFileSync(path, 'utf8').trim()}\n${readIfThere(previousPathOf(dataDir))}`, path),
    stamp: () => {
      const { ino, mtimeMs } = statSync(path);
      return `${ino} ${mtimeMs}`;
    },
  };
}

function runCommand(command: string): string {
  try {
    return execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8', timeout: commandTimeoutMs });
  } catch (error) {
    // The error omits the output, which may contain a key.
    const { status, signal } = error as { status?: number | null; signal?: string | null };
    throw new Error(`KEY_COMMAND failed (${signal ?? `exit code ${status}`})`);
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Parses one key per line. Throws for an invalid line. */
function parseKeys(text: string, where: string): MasterKeys {
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => Buffer.from(line, 'base64'));
  const [current, ...others] = keys;
  if (!current || keys.some((key) => key.length !== masterKeyBytes))
    throw new Error(`${where} does not hold a 32-byte key in base64`);
  return { current, others };
}

/** Creates the key file atomically, also if two processes start at the same time. */
async function createFile(dataDir: string): Promise<void> {
  const path = masterKeyPath(dataDir);
  if (readIfThere(path) !== '') return;
  await mkdir(dataDir, { recursive: true });
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  await writeKey(temporary, randomBytes(masterKeyBytes).toString('base64'));
  try {
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary);
  }
}

/** Writes a new key. The previous key remains in a second file, so that existing secrets can still be opened. */
export async function rotateMasterKeyFile(dataDir: string): Promise<void> {
  const [path, previous] = [masterKeyPath(dataDir), previousPathOf(dataDir)];
  const before = await readFile(path, 'utf8');
  await writeDurably(previous, `${before.trim()}\n${readIfThere(previous)}`);
  await writeDurably(path, randomBytes(masterKeyBytes).toString('base64'));
}

/** Deletes the previous keys. */
export const deletePreviousMasterKeys = (dataDir: string): Promise<void> =>
  rm(previousPathOf(dataDir), { force: true });

async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  await writeKey(temporary, text);
  await rename(temporary, path);
}

async function writeKey(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
