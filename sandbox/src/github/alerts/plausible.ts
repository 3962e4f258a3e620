import { createHash } from 'node:crypto';
import { readBlob, readTree, type TreeEntry } from '../../git/files.ts';
import { headOf } from '../../git/repository.ts';
import type { HostedRepository } from '../hosted-repository.ts';
import type { AlertRule, NewAlert } from './alert.ts';

/**
 * Alerts such as a scanner might raise over the files that are really there, the same ones at every start: up to one
 * of each rule, in a file of its language. They say that they are made up, and no secret is one.
 */
export const plausibleAlerts = async ({ git, name }: HostedRepository): Promise<NewAlert[]> => {
  const head = headOf(git);
  if (head === undefined) return [];
  const files = (await readTree(git.path, head.sha, true)).filter(
    ({ type, size = 0, path }) => type === 'blob' && size > 0 && size < 200_000 && !unlikely.test(path),
  );
  const alerts: NewAlert[] = [];
  for (const { files: pattern, kind, ...rule } of rules) {
    const file = pick(
      files.filter(({ path }) => pattern.test(path)),
      `${name} ${rule.id}`,
    );
    if (file === undefined) continue;
    const line = lineOf((await readBlob(git.path, file.sha)).toString(), rule.id);
    alerts.push({ kind, path: file.path, line, rule, createdAt: head.committer.at });
  }
  return alerts;
};

const unlikely = /(^|\/)(node_modules|vendor|dist|[.]git)\/|[.](min|test|spec|d)[.]/;

const pick = (files: TreeEntry[], seed: string): TreeEntry | undefined =>
  files.length === 0 ? undefined : files[hash(seed) % files.length];

// A line with words in it, so that it looks like something.
const lineOf = (text: string, seed: string): number => {
  const lines = text.split('\n').flatMap((line, index) => (/[a-z]{3}/i.test(line) ? [index + 1] : []));
  return lines.length === 0 ? 1 : (lines[hash(seed) % lines.length] ?? 1);
};

const hash = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0);

const made = 'Made up by the sandbox: nobody has looked at this code.';
const script = /[.][cm]?[jt]sx?$/;
const anyCode = /[.]([cm]?[jt]sx?|py|go|rb|java|kt|cs|php|rs|c|cc|cpp|swift|sh)$/;

const rules: (AlertRule & { files: RegExp; kind: NewAlert['kind'] })[] = [
  {
    kind: 'code_scanning',
    files: script,
    id: 'js/sql-injection',
    severity: 'critical',
    cwes: [89],
    title: 'Database query built from user-controlled sources',
    description: `A query is put together as text. ${made}`,
  },
  {
    kind: 'code_scanning',
    files: script,
    id: 'js/path-injection',
    severity: 'high',
    cwes: [22, 23],
    title: 'Uncontrolled data used in path expression',
    description: `A path comes from outside. ${made}`,
  },
  {
    kind: 'code_scanning',
    files: script,
    id: 'js/incomplete-sanitization',
    severity: 'medium',
    cwes: [20, 116],
    title: 'Incomplete string escaping or encoding',
    description: `Only the first one is replaced. ${made}`,
  },
  {
    kind: 'code_scanning',
    files: /[.](ya?ml)$/,
    id: 'actions/missing-workflow-permissions',
    severity: 'medium',
    cwes: [275],
    title: 'Workflow does not contain permissions',
    description: `It may do all the token may. ${made}`,
  },
  {
    kind: 'code_scanning',
    files: anyCode,
    id: 'sandbox/weak-hash',
    severity: 'low',
    cwes: [328],
    title: 'Use of a weak hash',
    description: `SHA-1 and MD5 can be forged. ${made}`,
  },
  {
    kind: 'dependabot',
    files: /(^|\/)package(-lock)?[.]json$/,
    id: 'GHSA-2222-2222-2222',
    severity: 'high',
    cwes: [1321],
    title: 'left-pad-sandbox lets an attacker set properties of every object',
    description: `\`left-pad-sandbox\` merges what it is given without a look. ${made}`,
    package: { ecosystem: 'npm', name: 'left-pad-sandbox', affected: '< 1.3.1', fixedIn: '1.3.1' },
  },
  {
    kind: 'dependabot',
    files: /(^|\/)(requirements.*[.]txt|pyproject[.]toml)$/,
    id: 'GHSA-2222-2222-2223',
    severity: 'medium',
    cwes: [400],
    title: 'sandbox-yaml takes ever longer for nested input',
    description: `A small file keeps \`sandbox-yaml\` busy for hours. ${made}`,
    package: { ecosystem: 'pip', name: 'sandbox-yaml', affected: '< 2.0', fixedIn: '2.0' },
  },
  {
    kind: 'dependabot',
    files: /(^|\/)go[.]mod$/,
    id: 'GHSA-2222-2222-2224',
    severity: 'low',
    cwes: [295],
    title: 'sandbox.example/tls does not check names',
    description: `Any certificate will do. ${made}`,
    package: { ecosystem: 'go', name: 'sandbox.example/tls', affected: '< 0.4.2', fixedIn: '0.4.2' },
  },
  {
    kind: 'secret_scanning',
    files: anyCode,
    id: 'sandbox_api_key',
    severity: 'high',
    cwes: [],
    title: 'Sandbox API Key',
    description: made,
  },
];
