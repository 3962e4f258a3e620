import { spawn } from 'node:child_process';
import { UpstreamFailed } from '#core/errors.ts';
import { pathOfProgram } from '#core/programs.ts';

/**
 * Starts the operator command that creates the demo organization through the API of this server, with an account as
 * another owner. The file of the demo contains its progress. Resolves with its process ID.
 */
export function startDemoCommand(sandboxUrl: string, ownerEmail: string): Promise<number> {
  const child = spawn(
    process.execPath,
    [pathOfProgram('cli'), 'demo', '--json', '--owner', ownerEmail, '--sandbox', sandboxUrl],
    {
      stdio: 'ignore',
    },
  );
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => resolve(child.pid ?? 0));
  });
}

/** Deletes the repositories and connections of the demo in the sandbox at `url`. */
export async function deleteSandboxDemo(url: string): Promise<void> {
  const response = await fetch(`${url}/_sandbox/demo`, { method: 'DELETE' });
  if (!response.ok) throw UpstreamFailed('The sandbox could not delete its demo.', await response.text());
}
