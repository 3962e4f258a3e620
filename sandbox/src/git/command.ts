import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

const decoderOptions = { ignoreBOM: true };

/**
 * Runs git in `cwd`, with `extra` in its environment, and returns its standard output.
 * Throws an Error with git's own words when it exits with another code than 0.
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

/** Runs git and hands over every NUL-terminated field of its output as it arrives. */
export const eachField = async (
  cwd: string,
  args: string[],
  input: string,
  onField: (field: string) => void,
): Promise<void> => {
  const decoder = new TextDecoder('utf-8', decoderOptions);
  let rest = '';
  await run(cwd, {
    args,
    input,
    onData: (chunk) => {
      const fields = (rest + decoder.decode(chunk, { stream: true })).split('\0');
      rest = fields.pop() ?? '';
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
    const complaints: Buffer[] = [];
    child.stdout.on('data', onData);
    child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
    child.stdin.on('error', () => undefined); // git may end before it has read everything
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`git ${args[0]} failed in ${cwd}: ${Buffer.concat(complaints).toString().trim()}`));
    });
    child.stdin.end(input);
  });

/** Starts git in `cwd`, with `extra` in its environment. */
export const startGit = (
  cwd: string,
  args: string[],
  extra: Record<string, string> = {},
): ChildProcessWithoutNullStreams => spawn('git', [...settings, ...args], { cwd, env: { ...environment(), ...extra } });

// A user's own git settings must not change what is read.
const settings = [
  ...['core.quotePath=false', 'log.showRoot=true', 'log.showSignature=false', 'log.mailmap=false'],
  ...['i18n.logOutputEncoding=UTF-8', 'diff.renames=true', 'diff.renameLimit=1000', 'diff.noprefix=false'],
].flatMap((setting) => ['-c', setting]);

// Inside a git hook GIT_DIR and its kind would point every call at one repository.
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_NO_REPLACE_OBJECTS: '1',
  // A partial clone would fetch what it lacks one by one, from wherever it was cloned.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C',
});
