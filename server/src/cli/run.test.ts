import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { runCommandLine } from './run.ts';

const commands = [
  'user create',
  'user employee',
  'user operator',
  'user reset-factors',
  'org create',
  'member add',
  'person erase',
  'token',
  'flags list',
  'flags set',
  'flags unset',
  'flags usage',
  'code-hosts list',
  'code-hosts connect',
  'code-hosts disconnect',
  'tracker list',
  'tracker connect',
  'tracker disconnect',
  'tracker test',
  'scanners list',
  'scanners connect',
  'scanners sync',
  'scanners disconnect',
  'operator log',
  'jobs list',
  'jobs retry',
  'migrate',
  'github-app',
  'doctor',
  'ledger close-epoch',
  'ledger rotate-key',
  'witness',
  'verify',
  'reconcile',
  'backup',
  'restore',
  'sarif upload',
  'agent-session attach',
  'seed',
];

test('prints the version of the release', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(await runCommandLine(['--version'])).toEqual({ code: 0, out: `${version}\n`, errorOutput: '' });
  expect(JSON.parse((await runCommandLine(['--version', '--json'])).out)).toEqual({ version });
});

describe('help output', () => {
  test('lists every command and exits with 1 only without arguments', async () => {
    const [help, bare] = [await runCommandLine(['--help']), await runCommandLine([])];
    expect(help.code).toBe(0);
    for (const name of commands) expect(help.out).toContain(`  ${name}`);
    expect(bare).toMatchObject({ code: 1, out: help.out });
  });

  test('matches the command table in docs/operations/configuration.md exactly', async () => {
    const page = await readFile(new URL('../../../docs/operations/configuration.md', import.meta.url), 'utf8');
    const [, afterHeading = ''] = page.split('| Command | Does |');
    const [table = ''] = afterHeading.split('\n\n');
    const { commands: there } = JSON.parse((await runCommandLine(['--help', '--json'])).out) as {
      commands: { name: string }[];
    };
    const listed = table.split('\n').flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)]);
    expect(listed.map(([, name]) => name).sort()).toEqual(there.map(({ name }) => name).sort());
  });

  test.each(commands)('documents the usage of %s', async (name) => {
    const { code, out } = await runCommandLine([...name.split(' '), '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`npm run sightline -- ${name}`);
    expect(out).toContain('--json');
  });
});

test.each([
  [['nonsense'], 'There is no command'],
  [['user', 'create', '--emial', 'x'], "Unknown option '--emial'"],
  [['user', 'create', '--email', 'ada@example.org'], '--name is missing'],
  [['user', 'create', '--email', 'nobody', '--name', 'A'], 'must be an email address'],
  [['token', '--email', 'ada@example.org', '--minutes', '61'], '--minutes must be'],
  [['member', 'add', '--org', 'x', '--email', 'a@example.org', '--role', 'king'], '--role must be one of'],
  [['flags', 'set', 'nothing', 'on'], 'is not a feature flag'],
  [['flags', 'set', 'dashboards', 'on', '--org', 'a', '--email', 'b@example.org'], 'cannot be given together'],
  [['flags', 'unset', 'nothing'], 'is not a feature flag'],
  [['flags', 'usage', '--days', '31'], '--days must be'],
  [['operator', 'log', '--last', 'x'], '--last must be'],
  [['user', 'employee', 'ada@example.org', 'maybe'], 'must be on or off'],
  [['user', 'operator', 'ada@example.org', 'maybe'], 'must be on or off'],
  [['jobs', 'list', '--last', '101'], '--last'],
  [['jobs', 'list', '--state', 'unknown'], '--state'],
  [['jobs', 'retry', 'tools.scan', 'x'], 'is not the ID of a job'],
  [['flags', 'set', 'dashboards'], 'on|off is missing'],
  [['flags', 'list', 'more'], '"more" is an unexpected argument'],
])('rejects %j with an explanation', async (args, words) => {
  const { code, out, errorOutput } = await runCommandLine(args);
  expect(code).toBe(1);
  expect(out).toBe('');
  expect(errorOutput).toContain(words);
  expect(errorOutput).not.toContain('    at ');
});

test('prints an error as JSON when --json is given', async () => {
  const { code, errorOutput } = await runCommandLine(['flags', 'set', 'nothing', 'on', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(errorOutput)).toMatchObject({ error: { code: 'validation_failed' } });
});
