/** A command of a shell script: its words without quotes, and where it stands. */
export interface ShellCommand {
  words: string[];
  offset: number;
}

const mostCommands = 5_000;
const mostDepth = 20;
// The rest of these lines names values, not commands.
const headers = new Set(['for', 'case', 'select', 'function', 'in']);
const openers = new Set(['if', 'then', 'elif', 'else', 'do', 'while', 'until', '!', '{', '}', 'time']);
const assignment = /^[A-Za-z_]\w*\+?=/;

/**
 * The commands of a shell script: what stands where a shell looks for one, not what stands in strings, comments, here
 * documents or arguments. Never throws; what is no shell gives few or odd commands.
 */
export function commandsOf(script: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  // Expressions of workflows stand for something nobody knows yet.
  const text = script.replaceAll(/\$\{\{[\s\S]*?\}\}/g, (all) => all.replaceAll(/[^\n]/g, '_'));
  read(text, { at: 0, found: commands, depth: 0, closing: '' });
  return commands;
}

/** Reads from `at` until `closing` stands alone; answers where it ended. */
function read(
  text: string,
  { at, found, depth, closing }: { at: number; found: ShellCommand[]; depth: number; closing: string },
): number {
  let words: string[] = [];
  let word = '';
  let isWord = false;
  let isRedirected = false;
  let here: string[] = [];
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
    const plain = stripped(words);
    if (plain.length > 0 && found.length < mostCommands) found.push({ words: plain, offset: first });
    words = [];
    first = -1;
  };
  let place = at;
  let first = -1;
  const note = () => {
    if (first === -1) first = place;
    isWord = true;
  };

  while (place < text.length) {
    const char = text[place] ?? '';
    if (char === '\\') {
      if (text[place + 1] !== '\n') {
        note();
        word += text[place + 1] ?? '';
      } else endWord();
      place += 2;
    } else if (char === "'") {
      note();
      const end = text.indexOf("'", place + 1);
      word += text.slice(place + 1, end === -1 ? text.length : end);
      place = end === -1 ? text.length : end + 1;
    } else if (char === '"') {
      note();
      const quoted = readQuoted(text, place + 1, found, depth);
      word += quoted.text;
      place = quoted.end;
    } else if (char === '$' && text[place + 1] === '(' && depth < mostDepth) {
      note();
      word += '$()';
      place = read(text, { at: place + 2, found, depth: depth + 1, closing: ')' });
    } else if (char === '$' && text[place + 1] === '{') {
      note();
      const end = text.indexOf('}', place);
      word += '$VALUE';
      place = end === -1 ? text.length : end + 1;
    } else if (char === '`') {
      if (closing === '`') {
        endCommand();
        return place + 1;
      }
      note();
      word += '$()';
      place = depth < mostDepth ? read(text, { at: place + 1, found, depth: depth + 1, closing: '`' }) : place + 1;
    } else if (char === '#' && !isWord) {
      const end = text.indexOf('\n', place);
      place = end === -1 ? text.length : end;
    } else if (char === '<' && text[place + 1] === '<' && text[place + 2] !== '<') {
      endWord();
      const [all = '<<', , name] = /^<<-?\s*(['"]?)([\w.-]+)\1/.exec(text.slice(place, place + 80)) ?? [];
      if (name !== undefined) here.push(name);
      place += all.length;
    } else if (char === '>' || char === '<') {
      if (/^\d$/.test(word)) word = '';
      endWord();
      place += 1;
      while (/[<>&|]/.test(text[place] ?? ' ')) place += 1;
      isRedirected = !/[\d-]/.test(text[place] ?? '') || text[place - 1] !== '&';
    } else if (char === '(') {
      if (word.endsWith('=')) {
        // An array: a list of words, not of commands.
        const end = text.indexOf(')', place);
        place = end === -1 ? text.length : end + 1;
      } else if (isWord && text[place + 1] === ')') {
        // A function that is made here.
        word = '';
        isWord = false;
        words = [];
        first = -1;
        place += 2;
      } else {
        endCommand();
        opened += 1;
        place += 1;
      }
    } else if (char === ')') {
      if (closing === ')' && opened === 0) {
        endCommand();
        return place + 1;
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
      place += 1;
    } else if (char === '\n') {
      endCommand();
      place += 1;
      for (const name of here) place = pastHere(text, place, name);
      here = [];
    } else if (char === ';' || char === '&' || char === '|') {
      endCommand();
      place += 1;
    } else if (/\s/.test(char)) {
      endWord();
      place += 1;
    } else {
      note();
      word += char;
      place += 1;
    }
  }
  endCommand();
  return place;
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
    } else if (char === '$' && text[at + 1] === '(' && depth < mostDepth) {
      value += '$()';
      at = read(text, { at: at + 2, found, depth: depth + 1, closing: ')' });
    } else if (char === '`' && depth < mostDepth) {
      value += '$()';
      at = read(text, { at: at + 1, found, depth: depth + 1, closing: '`' });
    } else {
      value += char;
      at += 1;
    }
  }
  return { text: value, end: at };
}

function pastHere(text: string, from: number, name: string): number {
  let at = from;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end === -1 ? text.length : end).trim();
    at = end === -1 ? text.length : end + 1;
    if (line === name) break;
  }
  return at;
}

/** Without reserved words and assignments before the command itself. */
function stripped(words: readonly string[]): string[] {
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? '';
    if (headers.has(word)) return [];
    if (!openers.has(word) && !assignment.test(word)) break;
    at += 1;
  }
  return words.slice(at);
}
