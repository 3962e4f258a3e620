/** One line like `Co-authored-by: Ada <ada@example.org>` at the end of a commit message. */
export interface Trailer {
  key: string;
  value: string;
}

const trailerLine = /^([A-Za-z0-9][A-Za-z0-9-]*)\s*:\s+(\S.*)$/;

/** The trailers of a commit message: its last paragraph, when every line of it is one (git-interpret-trailers, strict). */
export function trailersOf(message: string): Trailer[] {
  const paragraphs = message
    .replaceAll('\r\n', '\n')
    .trimEnd()
    .split(/\n\s*\n/);
  if (paragraphs.length < 2) return [];
  // A line that starts with whitespace continues the previous one.
  const lines = (paragraphs.at(-1) ?? '').replace(/\n[ \t]+/g, ' ').split('\n');
  const trailers = lines.map((text) => trailerLine.exec(text));
  if (trailers.some((match) => match === null)) return [];
  return trailers.flatMap((match) => (match ? [{ key: match[1] ?? '', value: (match[2] ?? '').trim() }] : []));
}
