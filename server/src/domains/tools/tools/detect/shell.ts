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
 * arguments. Never throws; other text results in few or odd commands.
 */
export function shellCommandsOf(script: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  // Workflow expressions have unknown values.
  const text = script.replaceAll(/\$\{\{[\s\S]*?\}\}/g, (all) => all.replaceAll(/[^\n]/g, '_'));
  read(text, { at: 0, found: commands, depth: 0, closing: '' });
  return commands;
}

/** Parses from `at` to an unquoted `closing`; returns the end position. */
function read(
  text: string,
  { at, found, depth, closing }: { at: number; found: ShellCommand[]; depth: number; closing: string },
): number {
  let words: string[] = [];
  let word = '';
  let isWord = false;
  let isRedirected = false;
  let hereDocuments: string[] = [];
  let opened = 0;

  const endWord = () => {
    if (isWord && !isRedirected) words.push(word);
    if (isWord) isRedirected = false;
    word = '';
    isWord = false;
  };
  const endCommand = () => {
    endWord();
    isRedirected = false;
    const plain = withoutKeywords(words);
    if (plain.length > 0 && found.length < MAX_COMMANDS) found.push({ words: plain, offset: first });
    words = [];
    first = -1;
  };
  let position = at;
  let first = -1;
  const beginWord = () => {
    if (first === -1) first = position;
    isWord = true;
  };

  while (position < text.length) {
    const char = text[position] ?? '';
    if (char === '\\') {
      if (text[position + 1] !== '\n') {
        beginWord();
        word += text[position + 1] ?? '';
      } else endWord();
      position += 2;
    } else if (char === "'") {
      beginWord();
      const end = text.indexOf("'", position + 1);
      word += text.slice(position + 1, end === -1 ? text.length : end);
      position = end === -1 ? text.length : end + 1;
    } else if (char === '"') {
      beginWord();
      const quoted = readQuoted(text, position + 1, found, depth);
      word += quoted.text;
      position = quoted.end;
    } else if (char === '$' && text[position + 1] === '(' && depth < MAX_DEPTH) {
      beginWord();
      word += '$()';
      position = read(text, { at: position + 2, found, depth: depth + 1, closing: ')' });
    } else if (char === '$' && text[position + 1] === '{') {
      beginWord();
      const end = text.indexOf('}', position);
      word += '$VALUE';
      position = end === -1 ? text.length : end + 1;
    } else if (char === '`') {
      if (closing === '`') {
        endCommand();
        return position + 1;
      }
      beginWord();
      word += '$()';
      position =
        depth < MAX_DEPTH ? read(text, { at: position + 1, found, depth: depth + 1, closing: '`' }) : position + 1;
    } else if (char === '#' && !isWord) {
      const end = text.indexOf('\n', position);
      position = end === -1 ? text.length : end;
    } else if (char === '<' && text[position + 1] === '<' && text[position + 2] !== '<') {
      endWord();
      const [all = '<<', , name] = /^<<-?\s*(['"]?)([\w.-]+)\1/.exec(text.slice(position, position + 80)) ?? [];
      if (name !== undefined) hereDocuments.push(name);
      position += all.length;
    } else if (char === '>' || char === '<') {
      if (/^\d$/.test(word)) word = '';
      endWord();
      position += 1;
      while (/[<>&|]/.test(text[position] ?? ' ')) position += 1;
      isRedirected = !/[\d-]/.test(text[position] ?? '') || text[position - 1] !== '&';
    } else if (char === '(') {
      if (word.endsWith('=')) {
        // An array: its words are no commands.
        const end = text.indexOf(')', position);
        position = end === -1 ? text.length : end + 1;
      } else if (isWord && text[position + 1] === ')') {
        // A function definition.
        word = '';
        isWord = false;
        words = [];
        first = -1;
        position += 2;
      } else {
        endCommand();
        opened += 1;
        position += 1;
      }
    } else if (char === ')') {
      if (closing === ')' && opened === 0) {
        endCommand();
        return position + 1;
      }
      if (opened === 0) {
        // A pattern of `case`.
        word = '';
        isWord = false;
        words = [];
        first = -1;
      } else {
        opened -= 1;
        endCommand();
      }
      position += 1;
    } else if (char === '\n') {
      endCommand();
      position += 1;
      for (const name of hereDocuments) position = skipHereDocument(text, position, name);
      hereDocuments = [];
    } else if (char === ';' || char === '&' || char === '|') {
      endCommand();
      position += 1;
    } else if (/\s/.test(char)) {
      endWord();
      position += 1;
    } else {
      beginWord();
      word += char;
      position += 1;
    }
  }
  endCommand();
  return position;
}

function readQuoted(text: string, from: number, found: ShellCommand[], depth: number): { text: string; end: number } {
  let value = '';
  let at = from;
  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === '"') return { text: value, end: at + 1 };
    if (char === '\\') {
      value += text[at + 1] ?? '';
      at += 2;
    } else if (char === '$' && text[at + 1] === '(' && depth < MAX_DEPTH) {
      value += '$()';
      at = read(text, { at: at + 2, found, depth: depth + 1, closing: ')' });
    } else if (char === '`' && depth < MAX_DEPTH) {
      value += '$()';
      at = read(text, { at: at + 1, found, depth: depth + 1, closing: '`' });
    } else {
      value += char;
      at += 1;
    }
  }
  return { text: value, end: at };
}

function skipHereDocument(text: string, from: number, name: string): number {
  let at = from;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end === -1 ? text.length : end).trim();
    at = end === -1 ? text.length : end + 1;
    if (line === name) break;
  }
  return at;
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
