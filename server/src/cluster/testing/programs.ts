import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#testing/free-port.ts';

/** A program of this machine that runs until it is stopped. */
export interface RunningProgram {
  pid: number;
  /** Its output so far, standard output and standard error. */
  output: () => string;
  /** Sends a signal and waits for the exit. */
  end: (signal?: NodeJS.Signals) => Promise<void>;
  /** Resolves when it has ended. */
  ended: Promise<void>;
}

/** Starts a program and resolves when it is `ready`. Rejects with its output if it ends before. */
export async function startProgram(
  file: string,
  args: readonly string[],
  ready: (text: string) => boolean | Promise<boolean>,
  options: SpawnOptions = {},
): Promise<RunningProgram> {
  const child: ChildProcess = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  let isOver = false;
  for (const output of [child.stdout, child.stderr]) output?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'exit').then(() => {
    isOver = true;
  });
  while (!(await ready(text))) {
    if (isOver) throw new Error(`${file} ended:\n${text}`);
    await pause(50);
  }
  return {
    pid: child.pid ?? 0,
    output: () => text,
    end: async (signal = 'SIGTERM') => {
      if (!isOver) child.kill(signal);
      await ended;
    },
    ended,
  };
}

const postgresBin = () => {
  const versions = '/usr/lib/postgresql';
  const [newest = ''] = readdirSync(versions).sort((one, other) => Number(other) - Number(one));
  return join(versions, newest, 'bin');
};
/** As root, PostgreSQL runs as another user. */
const asPostgres = () => (process.getuid?.() === 0 ? owner('postgres') : {});

/** Runs a program of PostgreSQL to its end, as its user. */
export const runPostgres = (name: string, args: readonly string[]): string =>
  execFileSync(join(postgresBin(), name), args, { ...asPostgres(), stdio: 'pipe', encoding: 'utf8' });

/**
 * Starts the newest PostgreSQL of Debian, on a new cluster if `folder` is empty. `superuser` is a connection string.
 */
export async function startPostgres(
  folder: string,
  settings: readonly string[] = [],
  givenPort?: number,
): Promise<RunningProgram & { superuser: string }> {
  if (!existsSync(join(folder, 'PG_VERSION')))
    runPostgres('initdb', ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8']);
  const port = givenPort ?? (await freePort());
  const all = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, ...settings];
  const program = await startProgram(
    join(postgresBin(), 'postgres'),
    ['-D', folder, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])],
    (text) => text.includes('ready to accept connections'),
    asPostgres(),
  );
  return {
    ...program,
    superuser: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    end: () => program.end('SIGINT'),
  };
}

export async function startRedis(folder: string, port: number): Promise<RunningProgram> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  return startProgram('redis-server', args, (text) => text.includes('Ready to accept connections'));
}

export async function startNginx(conf: string, port: number): Promise<RunningProgram> {
  const program = existsSync('/usr/sbin/nginx') ? '/usr/sbin/nginx' : 'nginx';
  return startProgram(program, ['-c', conf], () => answers(port));
}

function owner(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Starts Prometheus with the alert rules for operators, without `for`, so that each fires immediately. */
export async function startPrometheus(
  folder: string,
  { targets, token }: { targets: readonly string[]; token: string },
): Promise<RunningProgram & { url: string }> {
  const rules = readFileSync(new URL('../../../../deploy/prometheus/alerts.yml', import.meta.url), 'utf8');
  writeFileSync(join(folder, 'alerts.yml'), rules.replaceAll(/^ *for: .*\n/gm, ''));
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(folder, 'alerts.yml')],
    scrape_configs: [{ job_name: 'sightline', authorization: { credentials: token }, static_configs: [{ targets }] }],
  };
  // JSON is valid YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const port = await freePort();
  const program = await startProgram(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    (text) => text.includes('Server is ready to receive web requests'),
  );
  return { ...program, url: `http://127.0.0.1:${port}` };
}
