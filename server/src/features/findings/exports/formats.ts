import type { findingFormats } from '@sightline/contract/findings.ts';
import { byteOrderMark, csvRow } from '#core/csv.ts';
import type { Line } from './lines.ts';

export type Format = (typeof findingFormats)[number];

export const mediaTypes: Record<Format, string> = {
  csv: 'text/csv',
  json: 'application/json',
  sarif: 'application/sarif+json',
};

type Batches = AsyncIterable<readonly Line[]>;

/** A line for each finding; `linkOf` leads to its page. */
export async function* csvOf(batches: Batches, linkOf: (id: string) => string): AsyncGenerator<string> {
  yield `${byteOrderMark}${csvRow([...Object.keys(columns), 'link'])}`;
  for await (const lines of batches) {
    yield lines.map((line) => csvRow([...Object.values(columns).map((cell) => cell(line)), linkOf(line.id)])).join('');
  }
}

/** An array with an object for each finding. */
export async function* jsonOf(batches: Batches): AsyncGenerator<string> {
  let before = '[\n';
  for await (const lines of batches) {
    yield before + lines.map((line) => JSON.stringify(line)).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

const columns: Record<string, (line: Line) => string> = {
  severity: ({ severity }) => severity,
  vulnerability: ({ title }) => title,
  status: ({ status }) => status,
  reason: ({ reason }) => reason ?? '',
  category: ({ category }) => category,
  scanners: ({ tools }) => tools.map(({ name }) => name).join(', '),
  rule: ({ ruleId }) => ruleId,
  codes: ({ codes }) => codes.map(({ id }) => id).join(', '),
  repository: ({ repository }) => repository.fullName,
  ref: ({ ref }) => ref.ref,
  file: ({ coordinate }) => coordinate?.filePath ?? '',
  line: ({ coordinate }) => coordinate?.line?.toString() ?? '',
  commit: ({ commit }) => commit ?? '',
  message: ({ message }) => message,
  discovered: ({ discoverDate }) => discoverDate,
  'introduced by': ({ introducedBy }) => introducedBy?.actor.name ?? '',
  'introduced with': ({ introducedBy }) => introducedBy?.commit ?? '',
  'exception until': ({ exception }) => (exception?.state === 'approved' ? exception.until : ''),
  fingerprint: ({ fingerprint }) => fingerprint,
  id: ({ id }) => id,
};
