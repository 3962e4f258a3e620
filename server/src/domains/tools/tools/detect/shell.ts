/** A command of a shell script: its words without quotes, and its offset. */
export interface ShellCommand {
  words: string[];
  offset: number;
}

const MAX_COMMANDS = 5_000;
const MAX_DEPTH = 20;
// The rest of such a line contains values, not commands.
const headers = new Set(['for', 'case', 'select', 'function', 'in']);
const openers = new Set(['if', 'then', 'elif', 'else', 'do', 'while', 'until', '!', '{', '}', 'time']);
const assignment = /^[A-Za-z_]\w*\+?=/;

/**
 * Returns the commands of a shell script: words in command position, not in strings, comments, here-documents or
 * arguments. Never throws; other text results in few or odd commands. Takes time proportional to the length.
 */
export function shellCommandsOf(script: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  // Workflow expressions have unknown values.
  const text = script.replaceAll(/\$\{\{[\s\S]*?\}\}/g, (all) => all.replaceAll(/[^\n]/g, '_'));
  new CommandScanner(text, commands).readFrom(0);
  return commands;
}

/** The character that ends a script: the end of the text, or of a command substitution. */
type ScriptEnd = 'end of text' | ')' | '`';

/**
 * Reads the commands of a script, or of a command substitution in it. Each method moves past what it is named after. In
 * a word, an unknown value is replaced: a substitution by `$()`, a parameter in braces by `$VALUE`.
 */
class CommandScanner {
  readonly #text: string;
  readonly #found: ShellCommand[];
  readonly #end: ScriptEnd;
  readonly #depth: number;
  #position = 0;
  #isEnded = false;
  /** The words of the command so far, and the offset of the first; -1 before it. */
  #words: string[] = [];
  #offset = -1;
  /** The word so far; undefined between words. */
  #word: string | undefined;
  /** The next word is the target of a redirection. */
  #isRedirected = false;
  /** The delimiters of the here-documents that follow this line. */
  #hereDocuments: string[] = [];
  #openParentheses = 0;

  constructor(text: string, found: ShellCommand[], end: ScriptEnd = 'end of text', depth = 0) {
    this.#text = text;
    this.#found = found;
    this.#end = end;
    this.#depth = depth;
  }

  /** Reads the script that begins at a position. Returns the position after its end. */
  readFrom(position: number): number {
    this.#position = position;
    while (this.#position < this.#text.length && !this.#isEnded) this.#readNext();
    this.#endCommand();
    return this.#position;
  }

  /** What is read at each special character. Any other is white space, or belongs to a word. */
  static readonly #readers: ReadonlyMap<string, (scanner: CommandScanner) => void> = new Map([
    ['\\', (scanner) => scanner.#readEscaped()],
    ["'", (scanner) => scanner.#readSingleQuoted()],
    ['"', (scanner) => scanner.#readDoubleQuoted()],
    ['$', (scanner) => scanner.#readExpansion()],
    ['`', (scanner) => scanner.#readBacktick()],
    ['#', (scanner) => scanner.#readHash()],
    ['<', (scanner) => scanner.#readLess()],
    ['>', (scanner) => scanner.#readRedirection()],
    ['(', (scanner) => scanner.#readOpenParenthesis()],
    [')', (scanner) => scanner.#readCloseParenthesis()],
    ['\n', (scanner) => scanner.#readLineEnd()],
    [';', (scanner) => scanner.#readOperator()],
    ['&', (scanner) => scanner.#readOperator()],
    ['|', (scanner) => scanner.#readOperator()],
  ]);

  #readNext(): void {
    const char = this.#text[this.#position] ?? '';
    const read = CommandScanner.#readers.get(char);
    if (read) read(this);
    else if (/\s/.test(char)) this.#readSpace();
    else this.#readCharacter(char);
  }

  #readOperator(): void {
    this.#endCommand();
    this.#position += 1;
  }

  #readCharacter(char: string): void {
    this.#append(char);
    this.#position += 1;
  }

  #readSpace(): void {
    this.#endWord();
    this.#position += 1;
  }

  #readEscaped(): void {
    const next = this.#text[this.#position + 1];
    if (next === '\n') this.#endWord();
    else this.#append(next ?? '');
    this.#position += 2;
  }

  #readSingleQuoted(): void {
    const end = this.#indexOrEnd("'", this.#position + 1);
    this.#append(this.#text.slice(this.#position + 1, end));
    this.#position = end + 1;
  }

  #readDoubleQuoted(): void {
    this.#append('');
    this.#position += 1;
    while (this.#position < this.#text.length) {
      const char = this.#text[this.#position] ?? '';
      if (char === '"') {
        this.#position += 1;
        return;
      }
      if (char === '\\') {
        this.#append(this.#text[this.#position + 1] ?? '');
        this.#position += 2;
      } else if (this.#isSubstitution() || (char === '`' && this.#depth < MAX_DEPTH)) this.#readSubstitution();
      else this.#readCharacter(char);
    }
  }

  #readExpansion(): void {
    if (this.#isSubstitution()) this.#readSubstitution();
    else if (this.#text[this.#position + 1] === '{') {
      this.#append('$VALUE');
      this.#position = this.#indexOrEnd('}', this.#position) + 1;
    } else this.#readCharacter('$');
  }

  #readBacktick(): void {
    if (this.#end === '`') this.#endScript();
    else if (this.#depth < MAX_DEPTH) this.#readSubstitution();
    else {
      this.#append('$()');
      this.#position += 1;
    }
  }

  /** Whether a substitution of the form `$(…)` follows. Deeper ones than allowed are read as characters. */
  #isSubstitution(): boolean {
    return this.#depth < MAX_DEPTH && this.#text.startsWith('$(', this.#position);
  }

  #readSubstitution(): void {
    this.#append('$()');
    const isBacktick = this.#text[this.#position] === '`';
    const inner = new CommandScanner(this.#text, this.#found, isBacktick ? '`' : ')', this.#depth + 1);
    this.#position = inner.readFrom(this.#position + (isBacktick ? 1 : 2));
  }

  /** A comment begins between words only. */
  #readHash(): void {
    if (this.#word === undefined) this.#position = this.#indexOrEnd('\n', this.#position);
    else this.#readCharacter('#');
  }

  #readLess(): void {
    if (this.#isHereDocument()) this.#readHereDocumentOperator();
    else this.#readRedirection();
  }

  /** Whether `<<` follows, but not `<<<`. */
  #isHereDocument(): boolean {
    return this.#text.startsWith('<<', this.#position) && this.#text[this.#position + 2] !== '<';
  }

  #readHereDocumentOperator(): void {
    this.#endWord();
    const operator = /^<<-?\s*(['"]?)([\w.-]+)\1/.exec(this.#text.slice(this.#position, this.#position + 80));
    const [all = '<<', , delimiter] = operator ?? [];
    if (delimiter !== undefined) this.#hereDocuments.push(delimiter);
    this.#position += all.length;
  }

  #readRedirection(): void {
    // The number of a file, as in `2>`.
    if (/^\d$/.test(this.#word ?? '')) this.#word = '';
    this.#endWord();
    this.#position += 1;
    while (/[<>&|]/.test(this.#text[this.#position] ?? ' ')) this.#position += 1;
    const isDuplicate = this.#text[this.#position - 1] === '&' && /[\d-]/.test(this.#text[this.#position] ?? '');
    this.#isRedirected = !isDuplicate;
  }

  #readOpenParenthesis(): void {
    if (this.#word?.endsWith('=')) {
      // An array: its words are no commands.
      this.#position = this.#indexOrEnd(')', this.#position) + 1;
    } else if (this.#word !== undefined && this.#text[this.#position + 1] === ')') {
      // A function definition.
      this.#dropCommand();
      this.#position += 2;
    } else {
      this.#endCommand();
      this.#openParentheses += 1;
      this.#position += 1;
    }
  }

  #readCloseParenthesis(): void {
    if (this.#openParentheses > 0) {
      this.#openParentheses -= 1;
      this.#readOperator();
    } else if (this.#end === ')') this.#endScript();
    else {
      // A pattern of `case`.
      this.#dropCommand();
      this.#position += 1;
    }
  }

  #readLineEnd(): void {
    this.#endCommand();
    this.#position += 1;
    for (const delimiter of this.#hereDocuments) this.#skipHereDocument(delimiter);
    this.#hereDocuments = [];
  }

  #skipHereDocument(delimiter: string): void {
    let line: string | undefined;
    while (line !== delimiter && this.#position < this.#text.length) {
      const end = this.#indexOrEnd('\n', this.#position);
      line = this.#text.slice(this.#position, end).trim();
      this.#position = Math.min(end + 1, this.#text.length);
    }
  }

  #append(value: string): void {
    if (this.#offset === -1) this.#offset = this.#position;
    this.#word = (this.#word ?? '') + value;
  }

  #endWord(): void {
    if (this.#word === undefined) return;
    if (!this.#isRedirected) this.#words.push(this.#word);
    this.#isRedirected = false;
    this.#word = undefined;
  }

  #endCommand(): void {
    this.#endWord();
    this.#isRedirected = false;
    const words = withoutKeywords(this.#words);
    if (words.length > 0 && this.#found.length < MAX_COMMANDS) this.#found.push({ words, offset: this.#offset });
    this.#dropCommand();
  }

  #dropCommand(): void {
    this.#words = [];
    this.#word = undefined;
    this.#offset = -1;
  }

  #endScript(): void {
    this.#isEnded = true;
    this.#position += 1;
  }

  #indexOrEnd(searched: string, from: number): number {
    const index = this.#text.indexOf(searched, from);
    return index === -1 ? this.#text.length : index;
  }
}

/** Removes reserved words and assignments before the command. */
function withoutKeywords(words: readonly string[]): string[] {
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? '';
    if (headers.has(word)) return [];
    if (!openers.has(word) && !assignment.test(word)) break;
    at += 1;
  }
  return words.slice(at);
}
