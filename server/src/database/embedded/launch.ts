import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import type { Binaries } from './binaries.ts';
import type { RunAs } from './run-as.ts';

/** Starts a program of PostgreSQL as `who`, with readable standard error. */
export function launchProgram(
  program: string,
  args: string[],
  binaries: Binaries,
  who: RunAs | undefined,
): ChildProcess {
  const options: SpawnOptions = {
    // PostgreSQL stops if it cannot access its current directory.
    cwd: binaries.root,
    // Inherits no variables: PGDATA, PGPORT or an unusual LANG would change the behavior of the programs.
    env: { LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
    // Starts a new session: Ctrl-C in a terminal must reach only Sightline, which stops PostgreSQL after its own work.
    detached: process.platform !== 'win32',
    windowsHide: true,
    ...(who === undefined ? {} : { uid: who.uid, gid: who.gid }),
  };
  return spawn(program, args, options);
}

/** Runs a program to its end. `output` is its standard error. The code is -1 if the program cannot run. */
export async function runProgram(
  program: string,
  args: string[],
  binaries: Binaries,
  who: RunAs | undefined,
): Promise<{ code: number; output: string }> {
  const child = launchProgram(program, args, binaries, who);
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: -1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? -1, output }));
  });
}
