import { parseArgs } from 'node:util';
import { Refusal } from '#core/errors.ts';

/** An option of a command: a switch, unless it `takes` a value (the word that stands for it in the help). */
export interface Option {
  says: string;
  takes?: string;
  required?: boolean;
}
type CommandOptions = Readonly<Record<string, Option>>;

type OptionValue<O extends Option> = O extends { takes: string }
  ? O extends { required: true }
    ? string
    : string | undefined
  : boolean;

export interface CommandInput<O extends CommandOptions = CommandOptions> {
  options: { [Name in keyof O]: OptionValue<O[Name]> };
  /** As many as the command names. */
  words: readonly string[];
  /** The answer goes to a program: ask nothing. */
  json: boolean;
}

/** What a command answers: one object for programs, lines for people, and whether it failed although it ran. */
export interface CommandOutput {
  json: object;
  lines: readonly string[];
  failed?: boolean;
}

interface CommandDefinition<O extends CommandOptions> {
  /** As it is called, e.g. `user create`. */
  name: string;
  says: string;
  /** Words that follow the name, e.g. `NAME`. */
  takes?: readonly string[];
  options: O;
  run: (given: CommandInput<O>) => Promise<CommandOutput>;
}

export type Command = CommandDefinition<CommandOptions>;

/** Lets `run` know its options by name and kind. */
export const command = <const O extends CommandOptions>(definition: CommandDefinition<O>): Command =>
  definition as unknown as Command;

const everywhere = {
  json: { says: 'Print one JSON object.' },
  help: { says: 'Show this help.' },
} as const satisfies CommandOptions;

/** Reads what follows a command's name. Throws `validation_failed` for what the command does not know or lacks. */
export function readGiven(of: Command, args: readonly string[]): CommandInput & { help: boolean } {
  const known: CommandOptions = { ...of.options, ...everywhere };
  const { values, positionals } = parse(of, known, args);
  const { json, help, ...options } = values;
  if (help === true) return { options: {}, words: [], json: json === true, help: true };
  for (const [name, option] of Object.entries(of.options)) {
    if (option.required && options[name] === undefined) throw wrong(of, `--${name} is missing.`);
  }
  const wanted = of.takes ?? [];
  if (positionals.length < wanted.length) throw wrong(of, `${wanted[positionals.length]} is missing.`);
  if (positionals.length > wanted.length) throw wrong(of, `"${positionals[wanted.length]}" is an unexpected argument.`);
  const read = Object.entries(of.options).map(([name, { takes }]) => [
    name,
    takes === undefined ? options[name] === true : options[name],
  ]);
  return { options: Object.fromEntries(read), words: positionals, json: json === true, help: false };
}

function parse(of: Command, known: CommandOptions, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { takes }]) => [
      name,
      { type: takes === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // Its further sentences explain how to write such a thing all the same.
    const [first = ''] = (error as Error).message.split('. ');
    throw wrong(of, `${first.replace(/\.$/, '')}.`);
  }
}

const wrong = (of: Command, problem: string) =>
  new Refusal('validation_failed', `${problem} See: npm run sightline -- ${of.name} --help`);

/** How a command is called, and every option of it. */
export function helpOf(of: Command): string[] {
  const rows = Object.entries<Option>({ ...of.options, ...everywhere }).map(([name, { takes, says, required }]) => [
    `--${name}${takes === undefined ? '' : ` ${takes}`}`,
    `${says}${required ? ' Needed.' : ''}`,
  ]);
  const usage = ['npm run sightline --', of.name, ...(of.takes ?? []), '[options]'].join(' ');
  return [of.says, '', `  ${usage}`, '', ...aligned(rows)];
}

/** Rows of two columns under each other, indented. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map(([first = '']) => first.length));
  return rows.map(([first = '', second = '']) => `  ${first.padEnd(width)}  ${second}`.trimEnd());
}
