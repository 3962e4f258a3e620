// Without dependencies, because the editor extension contains it.

export const mcpTransports = ['stdio', 'http', 'sse', 'unknown'] as const;
export type McpTransport = (typeof mcpTransports)[number];

/** Maximum number of MCP servers that are read from one configuration, and of names of each. */
export const MAX_MCP_SERVERS = 200;
export const MAX_MCP_NAMES = 50;

/**
 * What is kept of an MCP server in a configuration. Arguments, values of variables and headers, paths and queries of
 * addresses are never kept, because they may contain secrets.
 */
export interface McpServer {
  /** The name in the configuration, which its author chose. */
  name: string;
  transport: McpTransport;
  /**
   * What runs, independent of the name: `npm:PACKAGE`, `pypi:PACKAGE`, `docker:IMAGE`, `command:PROGRAM`, the origin of
   * its address, or `unknown`.
   */
  source: string;
  /** The program that starts it, without folder and arguments; null without one. */
  command: string | null;
  /** The version of the package or image; null if the configuration names none. */
  version: string | null;
  /** Names of the variables and headers that it is given. */
  environment: string[];
  headers: string[];
}

/** Describes the MCP servers of a configuration: an object of them by name, of any content. */
export function describeMcpServers(servers: unknown): McpServer[] {
  if (!isObject(servers)) return [];
  return Object.entries(servers)
    .slice(0, MAX_MCP_SERVERS)
    .flatMap(([name, content]) => {
      const shown = plainText(name, 100);
      return shown === '' || !isObject(content) ? [] : [describe(shown, content)];
    });
}

function describe(name: string, content: Readonly<Record<string, unknown>>): McpServer {
  const url = [content.url, content.httpUrl, content.serverUrl].find((one) => typeof one === 'string');
  const isScript = typeof content.command === 'string' && /[$`;&|<>(){}]/.test(content.command);
  // Of a script only that it is one is kept.
  const words = isScript ? ['sh'] : wordsOf(content.command, content.args);
  const started = words.length > 0 ? startedBy(words) : undefined;
  const origin = typeof url === 'string' ? originOf(url) : undefined;
  return {
    name,
    transport: transportOf(content, { hasCommand: started !== undefined, hasUrl: url !== undefined }),
    source: started?.source ?? origin ?? 'unknown',
    command: started?.command ?? null,
    version: started?.version ?? null,
    environment: namesOf(content.env, content.env_vars),
    headers: namesOf(content.headers, content.http_headers, content.env_http_headers),
  };
}

function transportOf(
  content: Readonly<Record<string, unknown>>,
  { hasCommand, hasUrl }: { hasCommand: boolean; hasUrl: boolean },
): McpTransport {
  const named = String(content.type ?? content.transport ?? '').toLowerCase();
  if (named === 'sse') return 'sse';
  if (named.includes('http')) return 'http';
  if (named === 'stdio' || named === 'local' || hasCommand) return 'stdio';
  // An address without a type means server-sent events for Gemini, and either for others.
  return content.httpUrl !== undefined || hasUrl ? 'http' : 'unknown';
}

/** The words of a command line, which may be one text, a list, or a program with arguments. */
function wordsOf(command: unknown, args: unknown): string[] {
  const first = Array.isArray(command) ? command : typeof command === 'string' ? splitWords(command) : [];
  return [...first, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string').slice(0, 100);
}

const splitWords = (line: string): string[] =>
  line
    .slice(0, 2_000)
    .split(/\s+/)
    .filter((word) => word !== '');

interface Started {
  source: string;
  command: string;
  version: string | null;
}

function startedBy(words: readonly string[]): Started | undefined {
  // `KEY=value program`, `env KEY=value program` and `cmd /c program` start the program.
  const at = words.findIndex(
    (word) => !/^[\w.-]+=/.test(word) && !/^(?:.*[\\/])?(?:env|cmd)(?:\.exe)?$|^\/c$/i.test(word),
  );
  const program = words[at] === undefined ? undefined : programOf(words[at]);
  if (program === undefined) return undefined;
  const found = packageOf(program, words.slice(at + 1));
  return { command: program, source: found?.source ?? `command:${program}`, version: found?.version ?? null };
}

/** The name of a program without its folder; `other` if it is not a plain name. */
function programOf(path: string): string {
  const name = (path.split(/[\\/]/).at(-1) ?? '').replace(/\.(exe|cmd|bat|ps1)$/i, '');
  return /^[a-z][\w.+-]{0,39}$/i.test(name) ? name : 'other';
}

interface Runner {
  registry: 'npm' | 'pypi' | 'docker';
  /** Words between the program and the package: `dlx`, `tool run`. */
  after?: readonly string[];
  /** Options with a value in the next word. */
  valued: readonly string[];
  /** Options whose value is the package. */
  named?: readonly string[];
}

const npx = { registry: 'npm', valued: ['--registry', '--cache', '-c', '--call'], named: ['-p', '--package'] } as const;
// A function, so that programs that only check descriptions do not contain it.
const runnersByProgram = (): Readonly<Record<string, readonly Runner[]>> => ({
  npx: [npx],
  bunx: [npx],
  pnpx: [npx],
  npm: [
    { ...npx, after: ['exec'] },
    { ...npx, after: ['x'] },
  ],
  pnpm: [{ ...npx, after: ['dlx'] }],
  yarn: [{ ...npx, after: ['dlx'] }],
  bun: [{ ...npx, after: ['x'] }],
  uvx: [{ registry: 'pypi', valued: ['--python', '-p', '--with', '--index-url', '--index'], named: ['--from'] }],
  uv: [
    {
      registry: 'pypi',
      after: ['tool', 'run'],
      valued: ['--python', '-p', '--with', '--index-url'],
      named: ['--from'],
    },
  ],
  pipx: [{ registry: 'pypi', after: ['run'], valued: ['--python', '--pip-args', '--index-url'], named: ['--spec'] }],
  docker: [{ registry: 'docker', after: ['run'], valued: dockerOptions() }],
  podman: [{ registry: 'docker', after: ['run'], valued: dockerOptions() }],
});

function dockerOptions(): string[] {
  return (
    '-e --env --env-file -v --volume --mount -p --publish --name --network --net -w --workdir -u --user --entrypoint ' +
    '--platform -l --label -h --hostname --add-host --memory -m --cpus --pull --gpus --security-opt --cap-add --cap-drop --tmpfs'
  ).split(' ');
}

function packageOf(program: string, args: readonly string[]): Pick<Started, 'source' | 'version'> | undefined {
  const runners = runnersByProgram();
  const known = Object.hasOwn(runners, program) ? (runners[program] ?? []) : [];
  for (const runner of known) {
    const { after = [] } = runner;
    if (!after.every((word, index) => args[index] === word)) continue;
    const word = packageWord(args.slice(after.length), runner);
    const read = word === undefined ? undefined : readPackage(runner.registry, word);
    if (read) return read;
  }
  return undefined;
}

function packageWord(args: readonly string[], { valued, named = [] }: Runner): string | undefined {
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    const [option = '', value] = word.split('=', 2);
    if (named.includes(option)) return value ?? args[index + 1];
    if (word === '--') return args[index + 1];
    if (!word.startsWith('-')) return word;
    if (valued.includes(word)) index += 1;
  }
  return undefined;
}

const packagePatterns = {
  npm: /^((?:@[a-z0-9][\w.~-]*\/)?[a-z0-9][\w.~-]*)(?:@([\w.^~*-]{1,60}))?$/i,
  pypi: /^([a-z0-9][\w.-]*)(?:\[[\w,.-]*\])?(?:(?:@|[=~<>!]{1,2})([\w.*-]{1,60}))?$/i,
  docker:
    /^((?:[a-z0-9][a-z0-9.-]*(?::\d{1,5})?\/)?[a-z0-9][a-z0-9._/-]*)(?::([\w.-]{1,60}))?(?:@sha256:[0-9a-f]{64})?$/i,
} as const;

function readPackage(registry: Runner['registry'], word: string): Pick<Started, 'source' | 'version'> | undefined {
  const [, name, version] = word.length > 300 ? [] : (packagePatterns[registry].exec(word) ?? []);
  if (name === undefined || name.length > 150) return undefined;
  return { source: `${registry}:${name.toLowerCase()}`, version: version ?? null };
}

/** Scheme, host and port: user, path and query may contain a key. */
function originOf(url: string): string | undefined {
  if (url.length > 2_000 || !URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  return /^(https?|wss?):$/.test(protocol) && host.length <= 150 ? `${protocol}//${host}` : undefined;
}

/** The names of variables or headers: the keys of objects, and lists of names. */
function namesOf(...values: readonly unknown[]): string[] {
  const names = values.flatMap((value) => {
    if (Array.isArray(value)) return value.map((one) => String(one).split(/[=:]/)[0] ?? '');
    return isObject(value) ? Object.keys(value) : [];
  });
  return [...new Set(names.filter((name) => /^[a-z_][\w-]{0,99}$/i.test(name)))].toSorted().slice(0, MAX_MCP_NAMES);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text of a stranger for a name: without control characters, at most `most` characters. */
const plainText = (text: string, most: number): string =>
  text
    .slice(0, most)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
