import { catalogedToolOfImage, toolOfCommand, toolOfPackage } from '../catalog/catalog.ts';
import type { ToolEntry } from '../catalog/entry.ts';
import { type PackageRegistry, uncatalogedPackage } from '../catalog/uncataloged-tools.ts';
import { distinctReferences, type ToolReference } from './detection.ts';
import { imageMention, parseImageReference } from './image.ts';
import { shellCommandsOf } from './shell.ts';
import { systemCommands } from './system-commands.ts';
import type { YamlScript } from './yaml.ts';

const MAX_DEPTH = 4;

/**
 * Returns the tools that a script runs or installs. `registry` is the source of uncataloged commands; without it, they
 * may belong to the repository and are skipped.
 */
export function scriptMentions({ text, lineAt }: YamlScript, registry?: PackageRegistry): ToolReference[] {
  return distinctReferences(
    shellCommandsOf(text).flatMap(({ words, offset }) => {
      const line = lineAt(offset);
      return mentionsOf(words, 0, registry).map((mention) => ({ ...mention, line }));
    }),
  );
}

type ToolMention = Omit<ToolReference, 'line'>;

function mentionsOf(words: readonly string[], depth: number, registry?: PackageRegistry): ToolMention[] {
  const command = withoutPrefixes(words);
  const [written = '', ...args] = command;
  const name = commandName(written);
  if (name === undefined || depth > MAX_DEPTH) return [];
  const inner = innerScript(name, args);
  if (inner !== undefined)
    return shellCommandsOf(inner).flatMap((command) => mentionsOf(command.words, depth + 1, registry));
  const entry = toolOfCommand(name);
  const ownMentions = entry ? [commandMention(entry, name, args)] : unknownPackage(written, registry);
  const python = /^python\d?(\.\d+)?$/.test(name) && args[0] === '-m' ? args.slice(1) : undefined;
  const run = python ?? afterRunner(name, args);
  return [
    ...ownMentions,
    ...(run ? runMentions(run, depth, registryOf(name, args)) : []),
    ...installedBy(name, args),
    ...imagesOf(name, args),
  ];
}

/** Removes prefix commands, which run their arguments as a command. */
function withoutPrefixes(words: readonly string[]): readonly string[] {
  let command = words;
  for (let pass = 0; pass < 6; pass += 1) {
    const [name = ''] = command;
    const flags = prefixes.get(name);
    if (flags === undefined) return command;
    let at = 1;
    while (at < command.length) {
      const word = command[at] ?? '';
      if (word.startsWith('-')) at += flags.includes(word) ? 2 : 1;
      else if (/^[A-Za-z_]\w*=/.test(word) || (name === 'timeout' && /^[\d.]+[smhd]?$/.test(word))) at += 1;
      else break;
    }
    command = command.slice(at);
  }
  return command;
}

const prefixes = new Map<string, readonly string[]>([
  ['sudo', ['-u', '-g', '-h', '-p', '-C', '-r', '-t', '-U', '-D']],
  ['env', ['-u', '-C', '-S']],
  ['exec', ['-a']],
  ['timeout', ['-k', '-s', '--signal']],
  ['xargs', ['-n', '-P', '-I', '-d', '-L', '-a', '-s', '-E']],
  ['nice', ['-n']],
  ...['command', 'nohup', 'cross-env', 'xvfb-run', 'stdbuf', 'winpty', 'eval', 'call', '&', '@'].map(
    (name): [string, readonly string[]] => [name, []],
  ),
]);

/** Returns the name of a command; undefined for a script of the repository. */
function commandName(written: string): string | undefined {
  const parts = written.replaceAll('\\', '/').split('/');
  const name = (parts.at(-1) ?? '').replace(/\.(exe|cmd|bat)$/i, '');
  if (parts.length === 1) return name;
  const isWrapper = name === 'gradlew' || name === 'mvnw';
  const isInstalled = /(^|\/)(node_modules\/\.bin|vendor\/bin|\.?venv\/(bin|Scripts)|\.local\/bin)\//.test(written);
  return isWrapper || isInstalled || /^\/(usr|opt|bin)\//.test(written) ? name : undefined;
}

function innerScript(name: string, args: readonly string[]): string | undefined {
  if (!['bash', 'sh', 'zsh', 'dash', 'ash'].includes(name)) return undefined;
  const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  return at === -1 ? undefined : args[at + 1];
}

const secondWord = /^[a-z][a-z:-]{1,29}$/;

/** Stores only the command and its verb, since arguments may contain a secret. */
const commandMention = (
  tool: ToolEntry,
  name: string,
  args: readonly string[],
  version: string | null = null,
): ToolMention => {
  const [verb = ''] = args;
  return { tool, text: secondWord.test(verb) ? `${name} ${verb}` : name, version };
};

const runners = new Map<string, readonly (readonly string[])[]>([
  ['npx', [[]]],
  ['pnpx', [[]]],
  ['bunx', [[]]],
  ['uvx', [[]]],
  ['npm', [['exec'], ['x']]],
  ['pnpm', [['exec'], ['dlx']]],
  ['yarn', [['dlx'], ['exec'], ['run'], []]],
  ['bun', [['x']]],
  ['uv', [['run'], ['tool', 'run']]],
  ['poetry', [['run']]],
  ['pipenv', [['run']]],
  ['pdm', [['run']]],
  ['hatch', [['run']]],
  ['pipx', [['run']]],
  ['bundle', [['exec']]],
  ['dotnet', [['tool', 'run'], []]],
  ['go', [['run'], ['tool']]],
  ['mise', [['exec']]],
  ['conda', [['run']]],
  ['cargo', [[]]],
  ['gotestsum', [[]]],
  ['dotenv', [[]]],
]);

function afterRunner(name: string, args: readonly string[]): readonly string[] | undefined {
  const matched = runners.get(name)?.find((verbs) => verbs.every((verb, at) => args[at] === verb));
  if (!matched) return undefined;
  const remaining = args.slice(matched.length);
  // The first argument of these is a subcommand or a script of the project.
  if (matched.length === 0 && (name === 'cargo' || name === 'dotnet'))
    return remaining.slice(0, 1).map((verb) => `${name}-${verb}`);
  if (name === 'gotestsum') return remaining.includes('--') ? remaining.slice(remaining.indexOf('--') + 1) : undefined;
  return remaining;
}

/** Returns the registry of a runner; undefined if it runs scripts of the repository or installed commands. */
function registryOf(runner: string, [verb = '']: readonly string[]): PackageRegistry | undefined {
  if (/^(npx|pnpx|bunx|npm|pnpm|bun)$/.test(runner)) return 'npm';
  if (runner === 'yarn') return verb === 'dlx' || verb === 'exec' ? 'npm' : undefined;
  if (runner === 'uvx' || runner === 'pipx' || (runner === 'uv' && verb === 'tool')) return 'pypi';
  return runner === 'go' && verb === 'run' ? 'go' : undefined;
}

const packageNames: Readonly<Record<PackageRegistry, RegExp>> = {
  npm: /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(@[\w.^~<>=*+-]*)?$/,
  pypi: /^[a-z0-9][\w.-]*(\[[\w,.-]*\])?((==|@|[<>~!]=?)[\w.<>=!,*+-]*)?$/i,
  go: /^[a-z0-9-]+(\.[a-z0-9-]+)+\/[\w./~-]+@[\w.+-]+$/i,
};

/** Returns an uncataloged tool by its package name, except system commands and files. */
function unknownPackage(written: string, registry: PackageRegistry | undefined): ToolMention[] {
  if (!registry || written.length > 200 || !packageNames[registry].test(written)) return [];
  const { name, version } = packageOf(written);
  const isFile = /\.([cm]?[jt]sx?|sh|py|cmd|bat|exe|ps1)$/i.test(name);
  if (isFile || systemCommands.has(name)) return [];
  return [{ tool: uncatalogedPackage(registry, name), text: name, version }];
}

const packageFlags = new Set(['-p', '--package', '--from', '--spec']);
const flagsWithValue = new Set([
  '-p',
  '--package',
  '--from',
  '--spec',
  '--with',
  '--python',
  '-n',
  '--name',
  '-C',
  '-w',
  '--filter',
  '-e',
]);

function runMentions(words: readonly string[], depth: number, registry: PackageRegistry | undefined): ToolMention[] {
  let at = 0;
  let from = registry;
  const flagMentions: ToolMention[] = [];
  while (words[at]?.startsWith('-')) {
    const [flag = '', attached] = words[at]?.split('=', 2) ?? [];
    const isPackage = packageFlags.has(flag);
    if (flagsWithValue.has(flag)) {
      const written = attached ?? words[at + 1] ?? '';
      const found = packageMention(written, flag);
      flagMentions.push(...(found.length > 0 || !isPackage ? found : unknownPackage(written, registry)));
    }
    // The command that is run then belongs to that package.
    if (isPackage) from = undefined;
    at += flagsWithValue.has(flag) && attached === undefined ? 2 : 1;
  }
  const remaining = words.slice(at);
  const [first = ''] = remaining;
  // A path in the repository.
  if (first.startsWith('.')) return flagMentions;
  const { name, version } = packageOf(first);
  const entry = toolOfPackage(name) ?? toolOfPackage(name.split('/').at(-1) ?? '');
  const ownMentions = entry ? [{ tool: entry, text: name, version }] : unknownPackage(first, from);
  return [...flagMentions, ...ownMentions, ...mentionsOf(remaining, depth + 1)];
}

const installers: readonly [RegExp, RegExp][] = [
  [/^(npm|pnpm|yarn|bun)$/, /^(i|install|add|global add)$/],
  [/^pip3?$|^pipx$|^uv$|^poetry$|^pipenv$|^pdm$/, /^(install|add|inject|pip install|tool install)$/],
  [/^(brew|apt|apt-get|choco|gem|conda|mamba|micromamba|snap|dnf|yum|winget|scoop|mise|asdf)$/, /^(install|use)$/],
  [/^apk$/, /^add$/],
  [/^(go|cargo|cargo-binstall)$/, /^install$/],
  [/^dotnet$/, /^tool install$/],
];

/** Returns cataloged tools that a package manager installs, by their package names. */
function installedBy(name: string, args: readonly string[]): ToolMention[] {
  const plain = args.filter((arg) => !arg.startsWith('-'));
  const verbs = [plain[0] ?? '', plain.slice(0, 2).join(' ')];
  const matched = installers.find(([manager, verb]) => manager.test(name) && verbs.some((one) => verb.test(one)));
  if (!matched) return [];
  const length = matched[1].test(verbs[1] ?? '') ? 2 : 1;
  return plain
    .slice(length, length + 100)
    .flatMap((written) => packageMention(written, `${name} ${plain.slice(0, length).join(' ')}`));
}

function packageMention(written: string, how: string): ToolMention[] {
  const { name, version } = packageOf(written);
  const entry = toolOfPackage(name) ?? toolOfPackage(name.split('/').at(-1) ?? '');
  return entry ? [{ tool: entry, text: `${how} ${name}`.slice(0, 200), version }] : [];
}

/** `@scope/name@1.2`, `name==1.2`, `example.org/x/name@v1`, `name[extra]>=1`. */
function packageOf(written: string): { name: string; version: string | null } {
  const [, name = written, how, version] =
    /^(@?[\w./-]+?)(?:\[[^\]]*\])?(?:(@|==|=|:)([\w][\w.+-]*)|@?[<>~!^*].*)?$/.exec(written) ?? [];
  const isVersion = how !== undefined && version !== undefined && version !== 'latest';
  const isSha = version !== undefined && /^[0-9a-f]{40}$/.test(version);
  return { name, version: isVersion ? version.slice(0, isSha ? 7 : 80) : null };
}

/** Returns cataloged images that are run or pulled; other arguments may look like images. */
function imagesOf(name: string, args: readonly string[]): ToolMention[] {
  if (!/^(docker|podman|nerdctl)$/.test(name)) return [];
  if (!['run', 'pull', 'create'].includes(args.find((arg) => !arg.startsWith('-')) ?? '')) return [];
  const written = args.slice(1).find((arg) => {
    const image = /[/:]/.test(arg) ? parseImageReference(arg) : undefined;
    return image !== undefined && catalogedToolOfImage(image.name) !== undefined;
  });
  const mention = written === undefined ? undefined : imageMention(written, 0);
  return mention ? [{ tool: mention.tool, text: mention.text, version: mention.version }] : [];
}
