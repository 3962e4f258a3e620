import { parseArgs } from 'node:util';
import { Refusal } from '#core/errors.ts';

/** An option of a command: a switch, unless it `takes` a value (the placeholder in the help). */
export interface Option {
  description: string;
  valueName?: string;
  required?: boolean;
}
type CommandOptions = Readonly<Record<string, Option>>;

type OptionValue<O extends Option> = O extends { valueName: string }
  ? O extends { required: true }
    ? string
    : string | undefined
  : boolean;

export interface CommandInput<O extends CommandOptions = CommandOptions> {
  options: { [Name in keyof O]: OptionValue<O[Name]> };
  /** The positional arguments, as many as the command declares. */
  words: readonly string[];
  /** Programs read the output: the command must not prompt. */
  json: boolean;
}

/** The output of a command: an object for programs, lines for users, and whether the result is a failure. */
export interface CommandOutput {
  json: object;
  lines: readonly string[];
  failed?: boolean;
}

interface CommandDefinition<O extends CommandOptions> {
  /** The name on the command line, such as `user create`. */
  name: string;
  description: string;
  /** Placeholders of the positional arguments, such as `NAME`. */
  valueName?: readonly string[];
  options: O;
  run: (given: CommandInput<O>) => Promise<CommandOutput>;
}

export type Command = CommandDefinition<CommandOptions>;

/** Infers the names and types of the options for `run`. */
export const command = <const O extends CommandOptions>(definition: CommandDefinition<O>): Command =>
  definition as unknown as Command;

const everywhere = {
  json: { description: 'Print one JSON object.' },
  help: { description: 'Show this help.' },
} as const satisfies CommandOptions;

/** Parses the arguments after a command name. Throws `validation_failed` for unknown or missing ones. */
export function readGiven(of: Command, args: readonly string[]): CommandInput & { help: boolean } {
  const known: CommandOptions = { ...of.options, ...everywhere };
  const { values, positionals } = parse(of, known, args);
  const { json, help, ...options } = values;
  if (help === true) return { options: {}, words: [], json: json === true, help: true };
  for (const [name, option] of Object.entries(of.options)) {
    if (option.required && options[name] === undefined) throw wrong(of, `--${name} is missing.`);
  }
  const needed = of.valueName ?? [];
  if (positionals.length < needed.length) throw wrong(of, `${needed[positionals.length]} is missing.`);
  if (positionals.length > needed.length) throw wrong(of, `"${positionals[needed.length]}" is an unexpected argument.`);
  const read = Object.entries(of.options).map(([name, { valueName }]) => [
    name,
    valueName === undefined ? options[name] === true : options[name],
  ]);
  return { options: Object.fromEntries(read), words: positionals, json: json === true, help: false };
}

function parse(of: Command, known: CommandOptions, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { valueName }]) => [
      name,
      { type: valueName === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // The following sentences explain how to pass such an argument anyway.
    const [first = ''] = (error as Error).message.split('. ');
    throw wrong(of, `${first.replace(/\.$/, '')}.`);
  }
}

const wrong = (of: Command, problem: string) =>
  new Refusal('validation_failed', `${problem} See: npm run sightline -- ${of.name} --help`);

/** Returns the usage of a command and its options. */
export function helpOf(of: Command): string[] {
  const rows = Object.entries<Option>({ ...of.options, ...everywhere }).map(
    ([name, { valueName, description, required }]) => [
      `--${name}${valueName === undefined ? '' : ` ${valueName}`}`,
      `${description}${required ? ' Needed.' : ''}`,
    ],
  );
  const usage = ['npm run sightline --', of.name, ...(of.valueName ?? []), '[options]'].join(' ');
  return [of.description, '', `  ${usage}`, '', ...aligned(rows)];
}

/** Formats rows as two indented columns. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map(([first = '']) => first.length));
  return rows.map(([first = '', second = '']) => `  ${first.padEnd(width)}  ${second}`.trimEnd());
}
