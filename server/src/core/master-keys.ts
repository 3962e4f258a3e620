import { execFileSync } from 'node:child_process';
import { hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const masterKeyBytes = 32;

/** The keys that secrets are sealed under. */
export interface MasterKeys {
  /** Seals. */
  current: Buffer;
  /** Open what was sealed before a rotation, or on a node that was rotated first. */
  others: readonly Buffer[];
}

export interface MasterKeySource {
  read: () => MasterKeys;
  /** Changes with the keys, where that can be seen without reading them. */
  stamp: () => string;
}

/** Where the master key comes from. */
export interface MasterKeyConfig {
  MASTER_KEY?: string | undefined;
  MASTER_KEY_OTHERS?: readonly string[];
  /** A command that prints keys in base64, one a line, the current one first: from a KMS, say. */
  KEY_COMMAND?: string | undefined;
  dataDir: string;
}

const commandTimeoutMs = 30_000;

/** Names a master key without saying anything about it. */
export const masterKeyId = (masterKey: Buffer): string =>
  Buffer.from(hkdfSync('sha256', masterKey, '', 'sightline master key id', 8)).toString('hex');

/**
 * The master key: of `KEY_COMMAND`, of the environment, else of a 0600 file in the data directory. A missing file is created
 * only if `mayCreate` says that nothing is sealed yet: beside an existing database a new key opens nothing.
 */
export async function openMasterKeys(
  config: MasterKeyConfig,
  mayCreate: () => Promise<boolean> = async () => false,
): Promise<MasterKeySource> {
  const source = sourceOf(config);
  if (isFile(config) && readIfThere(pathOf(config.dataDir)) === '') {
    if (!(await mayCreate())) throw new Error(missing(pathOf(config.dataDir)));
    await makeFile(config.dataDir);
  }
  source.read();
  return source;
}

const missing = (path: string) =>
  `${path} is missing. It is the only key for the secrets in the database. ` +
  'Restore it from a backup, or set MASTER_KEY or KEY_COMMAND. A new key is created only for an empty database.';

/** Whether the master key is a file in the data directory. */
export const isFile = ({ MASTER_KEY, KEY_COMMAND }: MasterKeyConfig): boolean =>
  MASTER_KEY === undefined && KEY_COMMAND === undefined;

export const pathOf = (dataDir: string): string => join(dataDir, 'master.key');
const previousPathOf = (dataDir: string): string => join(dataDir, 'master.key.previous');

function sourceOf({ MASTER_KEY, MASTER_KEY_OTHERS = [], KEY_COMMAND, dataDir }: MasterKeyConfig): MasterKeySource {
  const constant = () => '';
  if (KEY_COMMAND !== undefined) {
    // Once: a secret of an unknown key, which anybody can send, must not run it again.
    const keys = keysIn(runCommand(KEY_COMMAND), 'KEY_COMMAND');
    return { read: () => keys, stamp: constant };
  }
  if (MASTER_KEY !== undefined) {
    const keys = keysIn([MASTER_KEY, ...MASTER_KEY_OTHERS].join('\n'), 'MASTER_KEY');
    return { read: () => keys, stamp: constant };
  }
  const path = pathOf(dataDir);
  return {
    read: () => keysIn(`${readFileSync(path, 'utf8').trim()}\n${readIfThere(previousPathOf(dataDir))}`, path),
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
    // What it printed may be a key.
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

/** Throws for a line that is no key. */
function keysIn(text: string, where: string): MasterKeys {
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

/** Whole or not at all, also where two processes start at the same time. */
async function makeFile(dataDir: string): Promise<void> {
  const path = pathOf(dataDir);
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

/** Puts a new key into the file; the one before stays beside it, so that what it sealed opens meanwhile. */
export async function replaceFile(dataDir: string): Promise<void> {
  const [path, previous] = [pathOf(dataDir), previousPathOf(dataDir)];
  const before = await readFile(path, 'utf8');
  await writeDurably(previous, `${before.trim()}\n${readIfThere(previous)}`);
  await writeDurably(path, randomBytes(masterKeyBytes).toString('base64'));
}

/** Takes the keys before away. */
export const forgetPrevious = (dataDir: string): Promise<void> => rm(previousPathOf(dataDir), { force: true });

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
