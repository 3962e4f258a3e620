/**
 * What a bundle does not disclose: `names` the names of persons, `people` all personal data, `all` also the names of
 * repositories.
 */
export const redactions = ['none', 'names', 'people', 'all'] as const;
export type Redaction = (typeof redactions)[number];

/** The redaction after the name of a bundle. */
export const redactionTexts: Readonly<Record<Redaction, string>> = {
  none: '',
  names: ', names of people redacted',
  people: ', personal data redacted',
  all: ', personal data and names of repositories redacted',
};
