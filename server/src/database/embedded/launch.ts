import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import type { Binaries } from './binaries.ts';
import type { RunAs } from './run-as.ts';

/** Starts one of PostgreSQL's programs as `who`, with its standard error readable. */
export function launch(program: string, args: string[], binaries: Binaries, who: RunAs | undefined): ChildProcess {
  const options: SpawnOptions = {
    // PostgreSQL asks for its current directory and stops when it may not see it.
    cwd: binaries.root,
    // Nothing is inherited: PGDATA, PGPORT or a strange LANG of the caller would change what the programs do.
    env: { LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A session of its own: Ctrl-C in a terminal must reach Sightline, which stops PostgreSQL when it is done with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
    ...(who === undefined ? {} : { uid: who.uid, gid: who.gid }),
  };
  return spawn(program, args, options);
}

/** Runs a program to its end. `output` is what it wrote to standard error; a program that cannot be run has code -1. */
export async function runProgram(
  program: string,
  args: string[],
  binaries: Binaries,
  who: RunAs | undefined,
): Promise<{ code: number; output: string }> {
  const child = launch(program, args, binaries, who);
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: -1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? -1, output }));
  });
}
