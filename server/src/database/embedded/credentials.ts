import { randomBytes } from 'node:crypto';
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

const passwordName = 'postgres.password';
const portName = 'postgres.port';

export const SUPERUSER_NAME = 'postgres';
export const LOOPBACK_HOST = '127.0.0.1';
// Includes the terminator; some systems allow 108 bytes, none fewer.
const longestSocketPath = 103;

/** Returns the connection string of the superuser over TCP. */
export const connectionUrl = (password: string, port: number): string => urlOf(password, LOOPBACK_HOST, port);

/**
 * Returns the connection string over the socket in the cluster folder, which costs both sides half as much as TCP. Uses
 * TCP on Windows and if the path exceeds the maximum length of a socket path.
 */
export function socketUrl(password: string, port: number, cluster: string): string {
  const fits = Buffer.byteLength(join(cluster, `.s.PGSQL.${port}`)) <= longestSocketPath;
  if (process.platform === 'win32' || !fits) return connectionUrl(password, port);
  return urlOf(password, encodeURIComponent(cluster), port);
}

const urlOf = (password: string, at: string, port: number) =>
  `postgres://${SUPERUSER_NAME}:${password}@${at}:${port}/postgres`;

/** Returns the password of the superuser, or undefined if the data directory never had a database. */
export async function readPassword(dataDir: string): Promise<string | undefined> {
  const password = await readFile(join(dataDir, passwordName), 'utf8').catch(() => undefined);
  return password?.trim() || undefined;
}

/**
 * Reads the password (0600 in the data directory) or creates one. Throws if there is a cluster without its password.
 */
export async function ensurePassword(dataDir: string, cluster: string): Promise<string> {
  const known = await readPassword(dataDir);
  if (known !== undefined) return known;
  const path = join(dataDir, passwordName);
  const clusterExists = await stat(cluster).then(
    () => true,
    () => false,
  );
  if (clusterExists) {
    throw new Error(
      `The database in ${cluster} has lost its password: ${path} is missing or empty. ` +
        'Restore that file from a backup, or move the database folder away to start with an empty one.',
    );
  }
  const password = randomBytes(24).toString('hex');
  await writeDurably(path, `${password}\n`);
  return password;
}

/** Returns the port of the last start, or undefined before the first. */
export async function readPort(dataDir: string): Promise<number | undefined> {
  const port = Number(await readFile(join(dataDir, portName), 'utf8').catch(() => ''));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

export async function rememberPort(dataDir: string, port: number): Promise<void> {
  await writeFile(join(dataDir, portName), `${port}\n`, { mode: 0o600 });
}

/** Returns the remembered port if it is free, otherwise any free one. */
export async function choosePort(dataDir: string): Promise<number> {
  const remembered = await readPort(dataDir);
  return (remembered === undefined ? undefined : await probe(remembered)) ?? (await probe(0)) ?? fail();
}

/** Resolves with the port if it is free. */
async function probe(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, LOOPBACK_HOST, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}

function fail(): never {
  throw new Error(`No port could be opened on ${LOOPBACK_HOST}. Check the loopback interface.`);
}

/** Writes durably, because the cluster is created with this password next and may survive a power loss. */
async function writeDurably(path: string, content: string): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}
