import { z } from 'zod';

type Issue = z.core.$ZodRawIssue;
type IssueOf<Code> = Extract<Issue, { code: Code }>;

/**
 * Describes an invalid value as the end of a sentence after its field name: 'must be a whole number'. Does not repeat
 * the value. Messages of a schema take precedence.
 */
function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${types[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'in a valid format'}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has ${issue.keys.join(', ').slice(0, 200)}, which are not known fields`;
    case 'invalid_union':
      return 'has none of the accepted forms';
    case 'invalid_key':
      return 'has an unsupported key';
    case 'invalid_element':
      return 'has an unsupported element';
    default:
      return 'is not valid';
  }
}

const types: Partial<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
};

const formats: Partial<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'an address such as https://example.org',
  uuid: 'a UUID',
  guid: 'a UUID',
  datetime: 'a time such as 2026-03-01T12:00:00Z',
  date: 'a date such as 2026-03-01',
  base64: 'in base64',
  ipv4: 'an IP address',
  ipv6: 'an IP address',
  json_string: 'JSON',
};

const quantity = (count: number | bigint, origin: string) => {
  const one = origin === 'string' ? 'character' : origin === 'array' || origin === 'set' ? 'entry' : 'field';
  const many = one === 'entry' ? 'entries' : `${one}s`;
  return `${count} ${Number(count) === 1 ? one : many}`;
};
const isCounted = (origin: string) => ['string', 'array', 'set', 'map', 'object', 'record'].includes(origin);

function tooSmall({ origin, minimum, inclusive }: IssueOf<'too_small'>): string {
  if (!isCounted(origin)) return `must be ${inclusive ? 'at least' : 'more than'} ${minimum}`;
  return Number(minimum) === 1 ? 'must not be empty' : `must have at least ${quantity(minimum, origin)}`;
}

function tooBig({ origin, maximum, inclusive }: IssueOf<'too_big'>): string {
  if (!isCounted(origin)) return `must be ${inclusive ? 'at most' : 'less than'} ${maximum}`;
  return `must have at most ${quantity(maximum, origin)}`;
}

z.config({ localeError: describeIssue });
