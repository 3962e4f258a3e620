import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Author {
  name: string;
  email: string;
}

const mira: Author = { name: 'Mira Okafor', email: 'mira.okafor@example.org' };
const jonas: Author = { name: 'Jonas Berg', email: 'jonas.berg@example.org' };
const lena: Author = { name: 'Lena Fischer', email: 'lena.fischer@example.org' };
const tomas: Author = { name: 'Tomas Novak', email: 'tomas.novak@example.org' };

interface DemoChange {
  branch: string;
  title: string;
  author: Author;
  reviewer: Author;
  commits: readonly string[];
  /** The branch is not merged. */
  isOpen?: true;
}

const changes: readonly DemoChange[] = [
  {
    branch: 'retry',
    title: 'Retry a payment that timed out',
    author: mira,
    reviewer: jonas,
    commits: ['Time out after ten seconds', 'Try again with the same idempotency key'],
  },
  {
    branch: 'iban',
    title: 'Check an IBAN before it is stored',
    author: lena,
    reviewer: mira,
    commits: ['Check the digits of an IBAN', 'Say which digit is wrong'],
  },
  {
    branch: 'audit',
    title: 'Write every refund to the audit log',
    author: jonas,
    reviewer: tomas,
    commits: ['Log refunds with who asked for them'],
  },
  {
    branch: 'rates',
    title: 'Round exchange rates half to even',
    author: tomas,
    reviewer: lena,
    commits: ['Round half to even', 'Test rounding against published tables', 'Drop the old table'],
  },
  {
    branch: 'webhooks',
    title: 'Verify webhooks before reading them',
    author: mira,
    reviewer: tomas,
    commits: ['Compare signatures in constant time', 'Keep the raw body'],
  },
  {
    branch: 'limits',
    title: 'Limit payouts by day and account',
    author: jonas,
    reviewer: lena,
    commits: ['Count payouts of a day', 'Refuse the one that goes over'],
  },
  {
    branch: 'exports',
    title: 'Export a month as CSV',
    author: lena,
    reviewer: jonas,
    commits: ['Write rows as they are read', 'Quote fields that begin with an equals sign'],
  },
  {
    branch: 'search',
    title: 'Find a payment by its reference',
    author: tomas,
    reviewer: mira,
    commits: ['Index references', 'Search without regard to case'],
    isOpen: true,
  },
  {
    branch: 'passkeys',
    title: 'Let people sign in with a passkey',
    author: mira,
    reviewer: jonas,
    commits: ['Register a passkey'],
    isOpen: true,
  },
];

const HOUR_MS = 3_600_000;
const STEP_MS = 5 * HOUR_MS;

/**
 * Creates the repository `example/payments` in a folder: nine branches by four people, seven of them merged. A commit or
 * merge every five hours over five days, the last an hour ago.
 */
export function makeDemoRepository(folder: string): string {
  const path = join(folder, 'payments');
  mkdirSync(path);
  const steps = changes.reduce((sum, change) => sum + change.commits.length + (change.isOpen ? 0 : 1), 1);
  let time = Date.now() - HOUR_MS - steps * STEP_MS;
  const git = (args: string[], { name, email }: Author = mira) => {
    const date = new Date(time).toISOString();
    const identity = {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    };
    const env = { PATH: process.env.PATH, HOME: folder, ...identity, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    execFileSync('git', args, { cwd: path, env, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const commit = (message: string, file: string, author: Author) => {
    time += STEP_MS;
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), `${message}\n`);
    git(['add', '--all']);
    git(['commit', '--quiet', '-m', message], author);
  };

  git(['init', '--quiet', '--initial-branch=main']);
  git(['remote', 'add', 'origin', 'https://github.com/example/payments.git']);
  commit('Begin with a ledger of payments', 'src/ledger.ts', mira);
  changes.forEach(({ branch, title, author, reviewer, commits, isOpen }, changeIndex) => {
    git(['checkout', '--quiet', '-b', branch, 'main']);
    for (const [index, message] of commits.entries()) commit(message, `src/${branch}/${index + 1}.ts`, author);
    git(['checkout', '--quiet', 'main']);
    if (isOpen) return;
    time += STEP_MS;
    const merge = `Merge pull request #${changeIndex + 1} from example/${branch}\n\n${title}\n\nReviewed-by: ${reviewer.name} <${reviewer.email}>`;
    git(['merge', '--quiet', '--no-ff', '-m', merge, branch], reviewer);
    git(['branch', '--quiet', '-D', branch]);
  });
  return path;
}
