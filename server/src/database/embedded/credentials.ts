import { randomBytes } from 'node:crypto';
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

const passwordName = 'postgres.password';
const portName = 'postgres.port';

export const superuser = 'postgres';
export const host = '127.0.0.1';
// With its end; some systems have 108, none less.
const longestSocketPath = 103;

/** The connection string of the superuser, by TCP. */
export const connectionUrl = (password: string, port: number): string => urlOf(password, host, port);

/**
 * The same by the socket in the folder of the cluster, which costs both sides half of what TCP does; by TCP on Windows and
 * where the path is longer than a socket's may be.
 */
export function socketUrl(password: string, port: number, cluster: string): string {
  const fits = Buffer.byteLength(join(cluster, `.s.PGSQL.${port}`)) <= longestSocketPath;
  if (process.platform === 'win32' || !fits) return connectionUrl(password, port);
  return urlOf(password, encodeURIComponent(cluster), port);
}

const urlOf = (password: string, at: string, port: number) =>
  `postgres://${superuser}:${password}@${at}:${port}/postgres`;

/** The superuser's password, undefined on a data directory that never had a database. */
export async function readPassword(dataDir: string): Promise<string | undefined> {
  const password = await readFile(join(dataDir, passwordName), 'utf8').catch(() => undefined);
  return password?.trim() || undefined;
}

/** Reads the password (0600 in the data directory) or makes one. Throws when a cluster is there without its password. */
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

/** The port of the last start, undefined before the first. */
export async function readPort(dataDir: string): Promise<number | undefined> {
  const port = Number(await readFile(join(dataDir, portName), 'utf8').catch(() => ''));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

export async function rememberPort(dataDir: string, port: number): Promise<void> {
  await writeFile(join(dataDir, portName), `${port}\n`, { mode: 0o600 });
}

/** The remembered port when it is still free, else any free one. */
export async function choosePort(dataDir: string): Promise<number> {
  const remembered = await readPort(dataDir);
  return (remembered === undefined ? undefined : await probe(remembered)) ?? (await probe(0)) ?? fail();
}

/** Resolves with the port when it could be listened on. */
async function probe(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}

function fail(): never {
  throw new Error(`No port could be opened on ${host}. Check the loopback interface.`);
}

/** The cluster is made with this password right after, so it must survive a power cut that the cluster survives. */
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
