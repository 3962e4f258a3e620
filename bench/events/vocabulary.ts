import type { Parameter } from '@sightline/contract/timeline/events.ts';
import type { NewEvent } from '../../server/src/domains/timeline/events/new-event.ts';
import { searchPartsOf, termsOfParts } from '../../server/src/domains/timeline/events/parts.ts';
import { hashTerm } from '../../server/src/domains/timeline/events/terms.ts';

/** Each of these words is contained in one of this many events. */
export const markedWordIntervals = { wcommon: 3, wmedium: 100, wrare: 100_000 } as const;

/** The kinds of items in events of the benchmark. Items are indexed per kind, the most frequent first. */
export type VocabularyKind =
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

/** An item with the terms of the product and the names that wildcards match. */
export interface VocabularyItem {
  sort: VocabularyKind;
  place: number;
  name: string;
  display: string;
  terms: readonly number[];
  names: readonly string[];
  nameTerms: readonly number[];
}

export const vocabularyCounts = {
  person: 2000,
  repository: 500,
  branch: 120,
  file: 3000,
  site: 60,
  tool: 40,
  word: 12_000,
};

const syllables = 'ba be bo da de do fa fi ga go ka ki la lo ma mi na no pa po ra re ro sa se ta ti'.split(' ');

/** Returns a pronounceable word of three syllables, or four beyond those. All words differ. */
function wordAt(place: number): string {
  const of = (step: number) => syllables[Math.floor(place / syllables.length ** step) % syllables.length] ?? '';
  const more = Math.floor(place / syllables.length ** 3);
  return `${of(2)}${of(1)}${of(0)}${more === 0 ? '' : (syllables[more] ?? '')}`;
}

export const vocabularyWords: readonly { word: string; term: number }[] = Array.from(
  { length: vocabularyCounts.word },
  (_, place) => {
    const word = wordAt(place);
    return { word, term: hashTerm(word) };
  },
);

const range = (length: number) => Array.from({ length }, (_, place) => place);

export const vocabularyItems: readonly VocabularyItem[] = [
  ...range(vocabularyCounts.person).map((place) =>
    namedItem('person', { place, name: `person-${place}`, display: `Person${place}`, kind: 'user' }),
  ),
  ...range(vocabularyCounts.repository).map((place) => namedItem('repository', { place, name: `acme/repo-${place}` })),
  ...range(vocabularyCounts.branch).map((place) => namedItem('branch', { place, name: branchAt(place) })),
  ...range(vocabularyCounts.file).map((place) => namedItem('file', { place, name: fileAt(place) })),
  ...range(vocabularyCounts.file).map((place) => fieldItem('changed', place, fileAt(place))),
  ...range(vocabularyCounts.site).map((place) =>
    namedItem('site', { place, name: `${wordAt(place * 31)}.example.org`, display: undefined, kind: 'website' }),
  ),
  ...range(vocabularyCounts.tool).map((place) => namedItem('tool', { place, name: `tool-${wordAt(place * 17)}` })),
  ...['low', 'medium', 'high', 'critical', 'info'].map((name, place) => fieldItem('severity', place, name)),
  ...['opened', 'merged', 'closed', 'approved', 'commented'].map((name, place) => fieldItem('status', place, name)),
  ...['github', 'chrome', 'vscode', 'checkmarx', 'firefox'].map((name, place) => fieldItem('source', place, name)),
];

function branchAt(place: number): string {
  if (place < 2) return place === 0 ? 'main' : 'develop';
  return place < 20 ? `release/${place}` : `feature/${wordAt(place * 53)}`;
}

function fileAt(place: number): string {
  const ending = ['ts', 'tsx', 'py', 'md', 'yml', 'go', 'sql'][place % 7];
  return `src/${wordAt(place % 40)}/${wordAt(40 + (place % 300))}/${wordAt(place * 7)}.${ending}`;
}

function namedItem(
  sort: VocabularyKind,
  {
    place,
    name,
    display = name,
    kind = sort as Parameter['kind'],
  }: { place: number; name: string; display?: string | undefined; kind?: Parameter['kind'] | undefined },
): VocabularyItem {
  const parameter: Parameter = { kind, ident: name, display };
  return {
    sort,
    place,
    name,
    display,
    ...listedUnder({ summary: { phrase: '{0}', parameters: [parameter] } }),
  };
}

function fieldItem(sort: 'severity' | 'status' | 'changed' | 'source', place: number, name: string): VocabularyItem {
  const part = sort === 'source' ? { source: name } : { fields: { [sort === 'changed' ? 'file' : sort]: [name] } };
  return { sort, place, name, display: name, ...listedUnder(part) };
}

/** Returns the terms and names of an event that contains this part only. */
function listedUnder(part: Partial<NewEvent>): Pick<VocabularyItem, 'terms' | 'names' | 'nameTerms'> {
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
  const parts = searchPartsOf(event);
  return {
    terms: termsOfParts(parts),
    names: parts.flatMap(({ names }) => names),
    nameTerms: parts.flatMap(({ nameTerms }) => nameTerms),
  };
}

/** Commits are indexed by the first four characters of their sha. */
export const shaTerms: readonly number[] = range(65_536).map((place) =>
  hashTerm(`sha\n${place.toString(16).padStart(4, '0')}`),
);
export const hasShaTerm = hashTerm('has\nsha');
export const pullRequestTerms: readonly number[] = range(901).map((place) => hashTerm(`pr\n${place}`));
export const numberTerms: readonly number[] = range(901).map((place) => hashTerm(String(place)));
