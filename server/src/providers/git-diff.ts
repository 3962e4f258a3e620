import type { HostFileDifference } from './host-evidence.ts';

/** Parses a diff in the format of git. */
export const differencesFrom = (text: string): HostFileDifference[] =>
  text
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith('diff --git '))
    .map(fileFrom);

function fileFrom(part: string): HostFileDifference {
  // Lines of content start with a space, a sign or a backslash, so only headers start like this.
  const start = part.search(/^@@ /m);
  const header = start < 0 ? part : part.slice(0, start);
  const field = (pattern: RegExp): string | undefined => pattern.exec(header)?.[1];
  const previousPath = field(/^rename from "?(.+?)"?$/m) ?? null;
  const [, before, after] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/m.exec(header) ?? [];
  const isRemoved = /^deleted file mode /m.test(header);
  // Git quotes special names, and ends names with spaces with a tab. Without hunks, only the first line has the name.
  const path =
    field(/^rename to "?(.+?)"?$/m) ??
    field(/^\+\+\+ "?b\/(.+?)"?\t?$/m) ??
    field(/^--- "?a\/(.+?)"?\t?$/m) ??
    field(/^diff --git "?a\/(.+?)"? "?b\/\1"?$/m) ??
    header;
  return {
    path,
    previousPath,
    status: isRemoved
      ? 'removed'
      : /^new file mode /m.test(header)
        ? 'added'
        : previousPath === null
          ? 'modified'
          : 'renamed',
    blob: (isRemoved ? before : after) ?? null,
    // Without a line about its content, the file was only moved.
    patch: start >= 0 ? part.slice(start) : /^(index|Binary files) /m.test(header) ? null : '',
  };
}
