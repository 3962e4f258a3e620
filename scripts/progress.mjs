import { spawn } from 'node:child_process';

const quietMs = 5000;

/** Returns an error whose message explains the failure: the command prints it without a stack. */
export function explained(message) {
  return Object.assign(new Error(message), { explained: true });
}

/** Prints the error of a failed command and exits with code 1. */
export function giveUp(error) {
  console.error(error.explained ? `\n  ✗ ${error.message}\n` : error);
  process.exit(1);
}

/**
 * Runs a program and prints its progress in one line: `  … doing (12 s)`, then `  ✓ done (23 s)`. Resolves with its
 * output if it succeeds. Otherwise it throws the message of `explain(output)`. `quiet`: prints nothing.
 */
export async function runStep({ doing, done, program, args, cwd, env, explain, quiet = false }) {
  if (quiet) {
    const { code, output } = await run(program, args, { cwd, env });
    if (code !== 0) throw explained(explain(output));
    return output;
  }
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1000);
  const printProgress = () =>
    process.stdout.write(`${process.stdout.isTTY ? '\r' : ''}  … ${doing} (${seconds()} s)${newline()}`);
  printProgress();
  const ticking = setInterval(printProgress, process.stdout.isTTY ? 1000 : quietMs);
  try {
    const { code, output } = await run(program, args, { cwd, env });
    if (code !== 0) throw explained(explain(output));
    process.stdout.write(`${process.stdout.isTTY ? '\r\u001b[K' : ''}  ✓ ${done} (${seconds()} s)\n`);
    return output;
  } finally {
    clearInterval(ticking);
  }
}

/** Returns the last lines of the output of a program, for an explanation. */
export function lastLines(output, count = 25) {
  return output.trimEnd().split('\n').slice(-count).join('\n');
}

function newline() {
  return process.stdout.isTTY ? '' : '\n';
}

function run(program, args, { cwd, env }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], shell: needsShell(program) });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
      });
    }
    child.once('error', (error) => resolve({ code: -1, output: `${output}${error.message}` }));
    child.once('close', (code) => resolve({ code: code ?? -1, output }));
  });
}

/** Windows starts .cmd files only through its shell. */
function needsShell(program) {
  return process.platform === 'win32' && program.endsWith('.cmd');
}
