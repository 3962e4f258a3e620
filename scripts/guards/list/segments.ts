import { domainsPath, domainTest, type Mutation, mutation } from '../guard.ts';

const folder = `${domainsPath}/timeline/events/archive`;
const tests = (name: string) => domainTest('timeline/events/archive', name);

export const segmentsGuards: readonly Mutation[] = [
  mutation(
    'refuses a damaged block of a segment',
    `${folder}/layout.ts`,
    'if (!isEqual(sha256(content), expected))',
    'if (expected.length !== HASH_BYTES)',
    tests('segment'),
  ),
  mutation(
    'refuses a damaged table of blocks',
    `${folder}/layout.ts`,
    "if (sha256(tables).toString('hex') !== table.sha256)",
    'if (table.sha256.length !== 64)',
    tests('segment'),
  ),
  mutation(
    'refuses a damaged manifest',
    `${folder}/layout.ts`,
    'if (!isEqual(hashed, footer.subarray(0, HASH_BYTES)))',
    'if (hashed.length !== HASH_BYTES)',
    tests('segment'),
  ),
  mutation(
    'refuses another segment than the stored one',
    `${folder}/segment.ts`,
    'stored.digest !== undefined && stored.digest !== layout.digest',
    "stored.digest === ''",
    tests('segment'),
  ),
  mutation(
    'refuses a list with ordinals beyond the last event',
    `${folder}/lists.ts`,
    'if (ordinal >= events)',
    'if (ordinal > 65_535)',
    tests('lists'),
  ),
  mutation(
    'refuses a list with runs beyond the last event',
    `${folder}/lists.ts`,
    'if (next > events)',
    'if (next > 65_536)',
    tests('lists'),
  ),
  mutation(
    'refuses events that are not in order',
    `${folder}/segment-writer.ts`,
    'id <= this.#lastId',
    "id === ''",
    tests('segment'),
  ),
  mutation(
    'counts only events in the time ranges',
    `${folder}/counts.ts`,
    'possible: intersectionOf(possible, within)',
    'possible',
    tests('segment'),
  ),
  mutation('replaces an erased text in a segment', `${folder}/rewrite.ts`, '...change.texts,', '', tests('rewrite')),
  mutation(
    'removes the terms of an erased text from a segment',
    `${folder}/rewrite.ts`,
    'const { terms = event.terms,',
    'const { terms } = event; const {',
    tests('rewrite'),
  ),
  mutation(
    'deletes an event from a segment',
    `${folder}/rewrite.ts`,
    'if (change?.isDeleted) continue;',
    '',
    tests('rewrite'),
  ),
];
