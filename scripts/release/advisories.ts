import { spawnSync } from 'node:child_process';
import { ReleaseError } from './error.ts';

/** A published vulnerability of a package in a lock file. */
export interface Advisory {
  /** Such as GHSA-… */
  id: string;
  url: string;
  title: string;
  packageName: string;
}

interface AuditAnswer {
  error?: { summary?: string };
  message?: string;
  vulnerabilities?: Record<string, { via: (string | { url: string; title: string; name: string })[] }>;
}

interface AuditRequest {
  /** The folder that contains package-lock.json. */
  folder: string;
  /** Returns how to run npm with arguments. */
  npm: (args: string[]) => { program: string; args: string[] };
  env: NodeJS.ProcessEnv;
}

/** Queries the npm registry for advisories on the packages of a lock file, without those for development. */
export function findAdvisories({ folder, npm, env }: AuditRequest): Advisory[] {
  const { program, args } = npm(['audit', '--json', '--omit=dev', '--package-lock-only']);
  const { stdout } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const answer = parseAnswer(stdout);
  if (answer?.vulnerabilities === undefined) {
    throw new ReleaseError(
      `The npm registry did not answer which advisories there are (${answer?.message ?? 'no answer'}). Try again, or add --without-audit.`,
    );
  }
  const advisories = Object.values(answer.vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((cause) => typeof cause !== 'string')
    .map(({ url, title, name }) => ({ id: url.split('/').at(-1) ?? url, url, title, packageName: name }));
  return [...new Map(advisories.map((advisory) => [`${advisory.id} ${advisory.packageName}`, advisory])).values()];
}

function parseAnswer(text: string): AuditAnswer | undefined {
  try {
    return JSON.parse(text) as AuditAnswer;
  } catch {
    return undefined;
  }
}
