import { spawn } from 'node:child_process';

const quietMs = 5000;

/** An error that explains itself: the command ends with these words instead of a stack. */
export function explained(message) {
  return Object.assign(new Error(message), { explained: true });
}

/** Prints the explanation of a failed command and ends with `code`. */
export function giveUp(error) {
  console.error(error.explained ? `\n  ✗ ${error.message}\n` : error);
  process.exit(1);
}

/**
 * Runs a program while one line tells that it goes on: `  … doing (12 s)`, then `  ✓ done (23 s)`. Its output is kept
 * back and resolves as `output` when it succeeds; `explain(output)` makes the message when it fails. `quiet`: no line at all.
 */
export async function runStep({ doing, done, program, args, cwd, env, explain, quiet = false }) {
  if (quiet) {
    const { code, output } = await run(program, args, { cwd, env });
    if (code !== 0) throw explained(explain(output));
    return output;
  }
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1000);
  const tell = () =>
    process.stdout.write(`${process.stdout.isTTY ? '\r' : ''}  … ${doing} (${seconds()} s)${newline()}`);
  tell();
  const ticking = setInterval(tell, process.stdout.isTTY ? 1000 : quietMs);
  try {
    const { code, output } = await run(program, args, { cwd, env });
    if (code !== 0) throw explained(explain(output));
    process.stdout.write(`${process.stdout.isTTY ? '\r\u001b[K' : ''}  ✓ ${done} (${seconds()} s)\n`);
    return output;
  } finally {
    clearInterval(ticking);
  }
}

/** The last lines of a program's output, for an explanation. */
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

/** Windows starts .cmd files through its shell only. */
function needsShell(program) {
  return process.platform === 'win32' && program.endsWith('.cmd');
}
