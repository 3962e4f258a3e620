import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Prompts for a password without echo. Returns undefined without a terminal. */
export async function promptPassword(json: boolean): Promise<string | undefined> {
  if (json || !process.stdin.isTTY) return undefined;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  // Prompts only now: text that is typed before the echo is off would be visible.
  process.stderr.write('Password (empty to generate one): ');
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
