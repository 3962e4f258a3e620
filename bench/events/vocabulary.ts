import type { Parameter } from '@sightline/contract/timeline/events.ts';
import type { NewEvent } from '../../server/src/domains/timeline/events/new-event.ts';
import { partsOf, termsOfParts } from '../../server/src/domains/timeline/events/parts.ts';
import { termOf } from '../../server/src/domains/timeline/events/terms.ts';

/** How often a word of this name is in an event: once in so many. */
export const wordShares = { wcommon: 3, wmedium: 100, wrare: 100_000 } as const;

/** What events of the benchmark name: each sort by place, the most frequent first. */
export type Sort =
  | 'person'
  | 'repository'
  | 'branch'
  | 'file'
  | 'changed'
  | 'site'
  | 'tool'
  | 'severity'
  | 'status'
  | 'source';

/** One of them, with what the product would list its events under, and what an asterisk may stand for. */
export interface Thing {
  sort: Sort;
  place: number;
  name: string;
  display: string;
  terms: readonly number[];
  names: readonly string[];
  nameTerms: readonly number[];
}

export const counts = { person: 2000, repository: 500, branch: 120, file: 3000, site: 60, tool: 40, word: 12_000 };

const syllables = 'ba be bo da de do fa fi ga go ka ki la lo ma mi na no pa po ra re ro sa se ta ti'.split(' ');

/** Words that can be spoken, all different: three syllables each, and a fourth past those. */
function wordAt(place: number): string {
  const of = (step: number) => syllables[Math.floor(place / syllables.length ** step) % syllables.length] ?? '';
  const more = Math.floor(place / syllables.length ** 3);
  return `${of(2)}${of(1)}${of(0)}${more === 0 ? '' : (syllables[more] ?? '')}`;
}

export const words: readonly { word: string; term: number }[] = Array.from({ length: counts.word }, (_, place) => {
  const word = wordAt(place);
  return { word, term: termOf(word) };
});

const range = (length: number) => Array.from({ length }, (_, place) => place);

export const things: readonly Thing[] = [
  ...range(counts.person).map((place) =>
    thing('person', { place, name: `person-${place}`, display: `Person${place}`, kind: 'user' }),
  ),
  ...range(counts.repository).map((place) => thing('repository', { place, name: `acme/repo-${place}` })),
  ...range(counts.branch).map((place) => thing('branch', { place, name: branchAt(place) })),
  ...range(counts.file).map((place) => thing('file', { place, name: fileAt(place) })),
  ...range(counts.file).map((place) => valued('changed', place, fileAt(place))),
  ...range(counts.site).map((place) =>
    thing('site', { place, name: `${wordAt(place * 31)}.example.org`, display: undefined, kind: 'website' }),
  ),
  ...range(counts.tool).map((place) => thing('tool', { place, name: `tool-${wordAt(place * 17)}` })),
  ...['low', 'medium', 'high', 'critical', 'info'].map((name, place) => valued('severity', place, name)),
  ...['opened', 'merged', 'closed', 'approved', 'commented'].map((name, place) => valued('status', place, name)),
  ...['github', 'chrome', 'vscode', 'checkmarx', 'firefox'].map((name, place) => valued('source', place, name)),
];

function branchAt(place: number): string {
  if (place < 2) return place === 0 ? 'main' : 'develop';
  return place < 20 ? `release/${place}` : `feature/${wordAt(place * 53)}`;
}

function fileAt(place: number): string {
  const ending = ['ts', 'tsx', 'py', 'md', 'yml', 'go', 'sql'][place % 7];
  return `src/${wordAt(place % 40)}/${wordAt(40 + (place % 300))}/${wordAt(place * 7)}.${ending}`;
}

function thing(
  sort: Sort,
  {
    place,
    name,
    display = name,
    kind = sort as Parameter['kind'],
  }: { place: number; name: string; display?: string | undefined; kind?: Parameter['kind'] | undefined },
): Thing {
  const parameter: Parameter = { kind, ident: name, display };
  return {
    sort,
    place,
    name,
    display,
    ...listedUnder({ summary: { phrase: '{0}', parameters: [parameter] } }),
  };
}

function valued(sort: 'severity' | 'status' | 'changed' | 'source', place: number, name: string): Thing {
  const part = sort === 'source' ? { source: name } : { fields: { [sort === 'changed' ? 'file' : sort]: [name] } };
  return { sort, place, name, display: name, ...listedUnder(part) };
}

/** What the product lists an event under that has nothing but this. */
function listedUnder(part: Partial<NewEvent>): Pick<Thing, 'terms' | 'names' | 'nameTerms'> {
  const event: NewEvent = {
    id: '',
    kind: 'other',
    asOf: '',
    actor: null,
    repositoryId: null,
    pullRequest: null,
    source: '',
    summary: { phrase: '', parameters: [] },
    detail: [],
    words: '',
    ...part,
  };
  const parts = partsOf(event);
  return {
    terms: termsOfParts(parts),
    names: parts.flatMap(({ names }) => names),
    nameTerms: parts.flatMap(({ nameTerms }) => nameTerms),
  };
}

/** Commits are listed under the first four characters of their sha. */
export const shaTerms: readonly number[] = range(65_536).map((place) =>
  termOf(`sha\n${place.toString(16).padStart(4, '0')}`),
);
export const hasSha = termOf('has\nsha');
export const pullRequestTerms: readonly number[] = range(901).map((place) => termOf(`pr\n${place}`));
export const numberTerms: readonly number[] = range(901).map((place) => termOf(String(place)));
