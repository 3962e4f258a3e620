import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks for a password without showing it; undefined where there is nobody to ask. */
export async function askPassword(json: boolean): Promise<string | undefined> {
  if (json || !process.stdin.isTTY) return undefined;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  // Only now: what is typed before the terminal stops echoing would be seen.
  process.stderr.write('Password (empty to generate one): ');
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
