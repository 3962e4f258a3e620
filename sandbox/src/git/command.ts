import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

const decoderOptions = { ignoreBOM: true };

/**
 * Runs git in `cwd`, with `extra` in its environment, and returns its standard output. Throws an Error with git's
 * message if the exit code is not 0.
 */
export const git = async (
  cwd: string,
  args: string[],
  input: string | Buffer = '',
  extra: Record<string, string> = {},
): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  await run(cwd, { args, input, onData: (chunk) => chunks.push(chunk), extra });
  return Buffer.concat(chunks);
};

/** Runs git and passes on each NUL-terminated field of its output as it arrives. */
export const eachField = async (
  cwd: string,
  args: string[],
  input: string,
  onField: (field: string) => void,
): Promise<void> => {
  const decoder = new TextDecoder('utf-8', decoderOptions);
  let incomplete = '';
  await run(cwd, {
    args,
    input,
    onData: (chunk) => {
      const fields = (incomplete + decoder.decode(chunk, { stream: true })).split('\0');
      incomplete = fields.pop() ?? '';
      for (const field of fields) onField(field);
    },
  });
};

const run = (
  cwd: string,
  {
    args,
    input,
    onData,
    extra = {},
  }: {
    args: string[];
    input: string | Buffer;
    onData: (chunk: Buffer) => void;
    extra?: Record<string, string> | undefined;
  },
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = startGit(cwd, args, extra);
    const errorOutput: Buffer[] = [];
    child.stdout.on('data', onData);
    child.stderr.on('data', (chunk: Buffer) => errorOutput.push(chunk));
    child.stdin.on('error', () => undefined); // git may exit before it has read everything
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`git ${args[0]} failed in ${cwd}: ${Buffer.concat(errorOutput).toString().trim()}`));
    });
    child.stdin.end(input);
  });

/** Starts git in `cwd`, with `extra` in its environment. */
export const startGit = (
  cwd: string,
  args: string[],
  extra: Record<string, string> = {},
): ChildProcessWithoutNullStreams => spawn('git', [...settings, ...args], { cwd, env: { ...environment(), ...extra } });

// Git settings of the user must not change the output.
const settings = [
  ...['core.quotePath=false', 'log.showRoot=true', 'log.showSignature=false', 'log.mailmap=false'],
  ...['i18n.logOutputEncoding=UTF-8', 'diff.renames=true', 'diff.renameLimit=1000', 'diff.noprefix=false'],
].flatMap((setting) => ['-c', setting]);

// In a git hook, GIT_DIR and similar variables would redirect every call to one repository.
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_NO_REPLACE_OBJECTS: '1',
  // A partial clone would fetch missing objects one by one from its origin.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C',
});
