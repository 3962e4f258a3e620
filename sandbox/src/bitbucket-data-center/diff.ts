import { git } from '../git/command.ts';
import { maybePath } from './responses.ts';

/** The tree without any file. */
export const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** The largest difference of an instance, in lines (`page.max.diff.lines`). */
const mostLines = 10_000;

/** Returns the difference between two commits in the format of the API. */
export const readDiff = async (cwd: string, from: string, to: string, contextLines: number) => {
  const options = ['-M', '--no-ext-diff', '--no-textconv', `--unified=${contextLines}`];
  const text = (await git(cwd, ['diff', ...options, from, to])).toString();
  const parts = text.split(/^(?=diff --git )/m).filter((part) => part.startsWith('diff --git '));
  let lines = 0;
  const diffs = [];
  for (const part of parts) {
    lines += part.split('\n').length;
    if (lines > mostLines) break;
    diffs.push(diffJson(part));
  }
  return {
    fromHash: from,
    toHash: to,
    contextLines,
    whitespace: 'SHOW',
    diffs,
    truncated: diffs.length < parts.length,
  };
};

const diffJson = (part: string) => {
  const start = part.search(/^@@ /m);
  const header = start < 0 ? part : part.slice(0, start);
  const field = (pattern: RegExp): string | undefined => pattern.exec(header)?.[1];
  const [, named = ''] = /^diff --git "?a\/.+ "?b\/(.+?)"?$/m.exec(header) ?? [];
  const isBinary = /^Binary files /m.test(header);
  const from = field(/^rename from "?(.+?)"?$/m) ?? field(/^--- "?a\/(.+?)"?\t?$/m) ?? named;
  const to = field(/^rename to "?(.+?)"?$/m) ?? field(/^\+\+\+ "?b\/(.+?)"?\t?$/m) ?? named;
  return {
    source: maybePath(/^new file mode /m.test(header) ? undefined : from),
    destination: maybePath(/^deleted file mode /m.test(header) ? undefined : to),
    ...(isBinary ? { binary: true } : { hunks: start < 0 ? [] : hunksJson(part.slice(start)) }),
    truncated: false,
  };
};

const kinds: Readonly<Record<string, string>> = { '+': 'ADDED', '-': 'REMOVED', ' ': 'CONTEXT' };

type Segment = { type: string; lines: { source: number; destination: number; line: string; truncated: boolean }[] };

const hunksJson = (text: string) =>
  text
    .split(/^(?=@@ -)/m)
    .filter((hunk) => hunk.startsWith('@@ '))
    .map((hunk) => {
      const [head = '', ...rest] = hunk.replace(/\n$/, '').split('\n');
      const [, from = '0', fromSpan = '1', to = '0', toSpan = '1'] =
        /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(head) ?? [];
      let [source, destination] = [Number(from), Number(to)];
      const segments: (Segment & { truncated: boolean })[] = [];
      for (const line of rest) {
        const type = kinds[line.charAt(0)];
        // The note about a missing line break at the end of a file.
        if (type === undefined) continue;
        if (segments.at(-1)?.type !== type) segments.push({ type, lines: [], truncated: false });
        segments.at(-1)?.lines.push({ source, destination, line: line.slice(1), truncated: false });
        if (type !== 'ADDED') source += 1;
        if (type !== 'REMOVED') destination += 1;
      }
      return {
        sourceLine: Number(from),
        sourceSpan: Number(fromSpan),
        destinationLine: Number(to),
        destinationSpan: Number(toSpan),
        segments,
        truncated: false,
      };
    });
