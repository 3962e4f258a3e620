import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../../evidence/second', import.meta.url));

/** The verifier in Python. */
export const secondVerifier = `${folder}/verify.py`;

const { stdout = '' } = spawnSync('python3', ['--version'], { encoding: 'utf8' });
export const hasPython = /^Python 3\.(1[1-9]|[2-9]\d)/.test(stdout);
if (!hasPython) console.log('The second verifier is not tried: there is no Python 3.11 here.');

/** Runs a script that imports the modules of the second verifier. Returns the JSON that it prints. Throws if it fails. */
export function runInPython(script: string, { args = [], input }: { args?: readonly string[]; input?: string } = {}) {
  const begin = `
import json, sys
sys.path.insert(0, ${JSON.stringify(folder)})
sys.dont_write_bytecode = True
`;
  const run = spawnSync('python3', ['-c', `${begin}${script}`, ...args], { encoding: 'utf8', maxBuffer: 1e9, input });
  if (run.status !== 0 || run.stderr !== '') throw new Error(run.stderr);
  return JSON.parse(run.stdout) as unknown;
}
