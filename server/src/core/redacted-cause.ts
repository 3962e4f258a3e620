const MAX_CAUSE_LENGTH = 300;

/** Words of PostgreSQL before the quoted name of a part of the schema, which contains no data. */
const schemaNames = /\b(constraint|relation|column|table|function|type|schema|index|role|trigger) $/;

/**
 * Returns the message of an error without what may be personal or secret: addresses of people and machines, paths and
 * queries of URLs, quoted values, and long words with digits, such as tokens. UUIDs remain. At most 300 characters.
 */
export function redactCause(message: string): string {
  const [line = ''] = message.trim().split('\n');
  const redacted = line
    .replace(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>)]+/gi, (url) => `${URL.parse(url)?.host ?? 'URL'}/…`)
    .replace(/[^\s@"'<>(),;:]+@[^\s@"'<>(),;:]+/g, '…')
    .replace(/"[^"]*"|'[^']*'(?!\w)/g, (quoted, at: number, whole: string) =>
      schemaNames.test(whole.slice(0, at)) ? quoted : '"…"',
    )
    .replace(/\b\d{1,3}(\.\d{1,3}){3}\b/g, '…')
    .replace(/(?<![\w:])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?![\w:])/gi, '…')
    .replace(/[\w+/=.~-]{20,}/g, (word) => (/\d/.test(word) && !uuid.test(word) ? '…' : word));
  return redacted.length <= MAX_CAUSE_LENGTH ? redacted : `${redacted.slice(0, MAX_CAUSE_LENGTH - 1)}…`;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.?$/i;
