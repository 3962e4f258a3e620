import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export type RunAs = { name: string; uid: number; gid: number };

/**
 * Returns the user for PostgreSQL: undefined for the current one. PostgreSQL refuses to run as root, so root uses the
 * owner of the existing cluster, else `postgres`, else `nobody`. Throws if there is none of them.
 */
export async function findRunAs(cluster: string): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = await readUsers();
  const owner = await stat(cluster).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) {
    const name = users.find((user) => user.uid === owner.uid)?.name ?? String(owner.uid);
    return { name, uid: owner.uid, gid: owner.gid };
  }
  // initdb looks up the name of its user, so an ID without an entry does not suffice.
  const chosen = ['postgres', 'nobody'].flatMap((name) => users.filter((user) => user.name === name)).at(0);
  if (chosen !== undefined && chosen.uid !== 0) return chosen;
  throw new Error(
    'PostgreSQL does not run as root, and this system has neither a user "postgres" nor "nobody". ' +
      'Create one (useradd --system postgres), start Sightline as an ordinary user, or set DATABASE_URL.',
  );
}

/** Whether `who` can reach and read `path`, according to owner, group and mode of each directory in it. */
export async function canReach(path: string, who: RunAs): Promise<boolean> {
  const target = await stat(path);
  if (!allows(target, who, target.isDirectory() ? 0o1 : 0o4)) return false;
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    if (!allows(await stat(directory), who, 0o1)) return false;
    if (directory === dirname(directory)) return true;
  }
}

async function readUsers(): Promise<RunAs[]> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return passwd.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

function allows(entry: { mode: number; uid: number; gid: number }, who: RunAs, bit: number): boolean {
  if (entry.uid === who.uid) return (entry.mode & (bit << 6)) !== 0;
  if (entry.gid === who.gid) return (entry.mode & (bit << 3)) !== 0;
  return (entry.mode & bit) !== 0;
}
