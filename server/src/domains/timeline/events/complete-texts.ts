import type { Detail, Parameter, Summary } from '@sightline/contract/timeline/events.ts';

/**
 * Returns the JSON members `summary` and `detail` of an event from its full texts, without braces: parameters have all
 * fields of section 3 of the specification. Copies the parts of the texts, since parsing and writing those of a page
 * takes longer and leaves more garbage than all else that a page needs. Texts that another writer ordered differently are
 * parsed.
 */
export function completeTexts(summary: string, detail: string): string {
  return `"summary":${copiedSummary(summary) ?? parsedSummary(summary)},"detail":{"parameters":${copiedDetails(detail) ?? parsedDetails(detail)}}`;
}

function parsedSummary(summary: string): string {
  const { phrase, parameters } = JSON.parse(summary) as Summary;
  return JSON.stringify({ phrase, parameters: parameters.map(completed) });
}

function parsedDetails(detail: string): string {
  const details = (JSON.parse(detail) as Detail[]).map(({ label, parameter }) => {
    const complete = completed(parameter);
    return { label, ...complete, parameter: complete };
  });
  return JSON.stringify(details);
}

const completed = (parameter: Parameter) => ({
  ...parameter,
  data: parameter.data ?? {},
  icon: parameter.icon ?? parameter.kind,
});

// The functions below return undefined unless the members have the order in which this server writes them.

function copiedSummary(json: string): string | undefined {
  const reader = new Reader(json);
  if (!(reader.skip('{"phrase":') && reader.skipText() && reader.skip(',"parameters":'))) return undefined;
  const phrase = json.slice(0, reader.at);
  const parameters = copiedList(reader, copiedParameter);
  return parameters !== undefined && reader.skip('}') && reader.isAtEnd() ? `${phrase}${parameters}}` : undefined;
}

function copiedDetails(json: string): string | undefined {
  const reader = new Reader(json);
  const details = copiedList(reader, copiedDetail);
  return reader.isAtEnd() ? details : undefined;
}

function copiedList(reader: Reader, copyItem: (reader: Reader) => string | undefined): string | undefined {
  if (!reader.skip('[')) return undefined;
  if (reader.skip(']')) return '[]';
  let copy = '';
  do {
    const item = copyItem(reader);
    if (item === undefined) return undefined;
    copy += copy === '' ? `[${item}` : `,${item}`;
  } while (reader.skip(','));
  return reader.skip(']') ? `${copy}]` : undefined;
}

function copiedDetail(reader: Reader): string | undefined {
  const from = reader.at;
  if (!(reader.skip('{"label":') && reader.skipText())) return undefined;
  const label = reader.json.slice(from, reader.at);
  const parameter = reader.skip(',"parameter":') ? copiedParameter(reader) : undefined;
  if (parameter === undefined || !reader.skip('}')) return undefined;
  return `${label},${parameter.slice(1, -1)},"parameter":${parameter}}`;
}

function copiedParameter(reader: Reader): string | undefined {
  const { at: from, json } = reader;
  if (!reader.skip('{"kind":')) return undefined;
  const kindFrom = reader.at;
  if (!reader.skipText()) return undefined;
  const kind = json.slice(kindFrom, reader.at);
  if (!(reader.skip(',"display":') && reader.skipText() && reader.skip(',"ident":') && reader.skipText()))
    return undefined;
  const hasData = reader.skip(',"data":');
  if (hasData && !reader.skipObject()) return undefined;
  const members = json.slice(from, reader.at);
  return reader.skip('}') ? `${members}${hasData ? '' : ',"data":{}'},"icon":${kind}}` : undefined;
}

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d];

/** Reads valid JSON from its start. */
class Reader {
  at = 0;
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
  isAtEnd(): boolean {
    return this.at === this.json.length;
  }
  /** Moves behind `part` if it follows. */
  skip(part: string): boolean {
    const follows = this.json.startsWith(part, this.at);
    if (follows) this.at += part.length;
    return follows;
  }
  /** Moves behind a string if one follows. */
  skipText(): boolean {
    const { json } = this;
    if (json.charCodeAt(this.at) !== QUOTE) return false;
    for (let at = this.at + 1; at < json.length; at += 1) {
      const code = json.charCodeAt(at);
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) {
        this.at = at + 1;
        return true;
      }
    }
    return false;
  }
  /** Moves behind an object if one follows. */
  skipObject(): boolean {
    const { json } = this;
    if (json.charCodeAt(this.at) !== OPEN) return false;
    let depth = 0;
    while (this.at < json.length) {
      const code = json.charCodeAt(this.at);
      if (code === QUOTE) {
        if (!this.skipText()) return false;
        continue;
      }
      this.at += 1;
      if (code === OPEN) depth += 1;
      else if (code === CLOSE) depth -= 1;
      if (depth === 0) return true;
    }
    return false;
  }
}
