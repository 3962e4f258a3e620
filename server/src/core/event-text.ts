import type { Parameter, Summary } from '@sightline/contract/timeline/events.ts';

interface LabeledParameter {
  label: string;
  parameter: Parameter;
}

/**
 * The stored form of the texts of an event: their JSON, in which control characters stand for frequent fragments. JSON
 * itself never contains control characters, so plain JSON is its own stored form, and the full text is restored byte by
 * byte, as proofs require.
 */
export interface EventTexts {
  /** A `Summary`, as JSON or in its stored form. */
  summary: string;
  /** A list of labeled parameters, likewise. */
  detail: string;
}

/**
 * Precedes the identifier of a parameter in the stored form, unless that equals its label. That of a commit always has it.
 */
export const storedIdentMark = '\x02';
/** Follows the label of a parameter whose identifier is equal. */
const SAME_IDENT = '\x03';
/** Stands for the identifier of the parameter within its URL. */
const IDENT_IN_URL = '\x04';
/** Precedes a character that names a parameter of the summary, from `a`. */
const SUMMARY_PARAMETER = '\x05';
const FIRST_PARAMETER = 97;
/** The number of parameters of a summary that details can refer to. */
const MAX_REFERENCES = 26;

const startOf = (kind: string) => `{"kind":"${kind}","display":"`;

/** The kinds with a character, in an order that must never change. A kind that is added later is written in full. */
const shortKinds: readonly Parameter['kind'][] = [
  'user',
  'pr',
  'repository',
  'branch',
  'sha',
  'file',
  'website',
  'browser',
  'commit',
  'data_source',
  'tool',
  'text',
  'number',
];

/** The fragments by the code of their character, which must never change. */
const fragments: readonly [code: number, fragment: string][] = [
  [0x02, '","ident":"'],
  [0x06, '{"phrase":"'],
  [0x07, `","parameters":[${startOf('user')}`],
  [0x08, '","parameters":['],
  [0x09, '"},'],
  [0x0a, '"}]}'],
  [0x0b, '","ident":""}'],
  [0x0c, '","data":{"url":"'],
  [0x0d, '","data":{"repository":"'],
  [0x0e, '"}},'],
  [0x0f, '"}}]}'],
  [0x10, '{"label":"'],
  [0x11, '","parameter":'],
  [0x12, '},{"label":"'],
  ...shortKinds.map((kind, place): [number, string] => [0x13 + place, startOf(kind)]),
];

const fragmentOf: readonly (string | undefined)[] = Array.from(
  { length: 0x20 },
  (_, code) => fragments.find(([one]) => one === code)?.[1],
);
const characterOf = new Map(fragments.map(([code, fragment]) => [fragment, String.fromCharCode(code)]));
/** The characters after which the label of a parameter begins. */
const startsLabel: ReadonlySet<number> = new Set(
  fragments.flatMap(([code, fragment]) => (fragment.endsWith('"display":"') ? code : [])),
);
/** Those of them that begin a user. */
const startsUser: ReadonlySet<number> = new Set(
  fragments.flatMap(([code, fragment]) => (fragment.endsWith(startOf('user')) ? code : [])),
);
const fragmentPattern = new RegExp(
  [...characterOf.keys()]
    .sort((one, other) => other.length - one.length)
    .map((fragment) => fragment.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|'),
  'g',
);

// A SHA is searched after its mark, so it always has one.
const repeatedLabel = /(?<!"kind":"sha",)("display":"([^"\\]+))","ident":"\2(?=")/g;
// Only as whole steps of the path: erasures search the stored form for names, of which no part may be missing.
const identInUrl = /("ident":"([^"\\]+)","data":\{"url":"[^"\\]*\/)\2(?=["/?#])/g;

/** Returns the stored form of texts. */
export function shortEventTexts({ summary, detail }: EventTexts): EventTexts {
  const parameters = detail.includes('"parameter":') ? parametersOf(summary) : [];
  return {
    summary: shortened(summary, summary, []),
    detail: shortened(withReferences(detail, parameters), detail, parameters),
  };
}

/** The stored form of `json`, of which `text` is a shorter form. */
function shortened(text: string, json: string, parameters: readonly string[]): string {
  const short = text
    .replace(identInUrl, `$1${IDENT_IN_URL}`)
    .replace(repeatedLabel, `$1${SAME_IDENT}`)
    .replace(fragmentPattern, (fragment) => characterOf.get(fragment) ?? fragment);
  // Another writer of JSON may order or escape it differently.
  return expanded(short, parameters) === json ? short : json;
}

/** Replaces parameters of the details that the summary contains too. */
function withReferences(detail: string, parameters: readonly string[]): string {
  let short = detail;
  parameters.forEach((parameter, place) => {
    const reference = `${SUMMARY_PARAMETER}${String.fromCharCode(FIRST_PARAMETER + place)}`;
    short = short.replaceAll(`"parameter":${parameter}`, `"parameter":${reference}`);
  });
  return short;
}

const PARAMETERS = '"parameters":[';
const [QUOTE, BACKSLASH, OPEN, CLOSE, END] = [0x22, 0x5c, 0x7b, 0x7d, 0x5d];

/** The JSON of the parameters that details can refer to, as it stands in `summary`. Parsing takes four times as long. */
function parametersOf(summary: string): string[] {
  const found: string[] = [];
  const list = summary.indexOf(PARAMETERS);
  let from = 0;
  let depth = 0;
  let inText = false;
  for (let at = list < 0 ? summary.length : list + PARAMETERS.length; at < summary.length; at += 1) {
    const code = summary.charCodeAt(at);
    if (inText) {
      if (code === BACKSLASH) at += 1;
      else inText = code !== QUOTE;
    } else if (code === QUOTE) inText = true;
    else if (code === OPEN) {
      if (depth === 0) from = at;
      depth += 1;
    } else if (code === CLOSE) {
      depth -= 1;
      if (depth === 0 && found.push(summary.slice(from, at + 1)) === MAX_REFERENCES) break;
    } else if (code === END && depth === 0) break;
  }
  return found;
}

/** Restores the JSON of a stored summary. */
export const fullSummary = (summary: string): string => expanded(summary, []);

/**
 * The same, and adds the identifiers of its users to `users`. Parsing all summaries of a page would take longer than the
 * rest of its response.
 */
export function fullSummaryWithUsers(summary: string, users: Set<string>): string {
  const found: FoundUsers = { idents: [], begun: 0 };
  const full = expanded(summary, [], found);
  // A character stands for the start of a user, unless the text was written in another way.
  const isCertain =
    found.begun === found.idents.length && !found.idents.some(isEscapedOrLonger) && !summary.includes('"user"');
  for (const ident of isCertain ? found.idents : usersIn(JSON.parse(full))) if (ident !== '') users.add(ident);
  return full;
}

const isEscapedOrLonger = (ident: string) => /["\\]/.test(ident);
const usersIn = ({ parameters }: Summary): string[] =>
  parameters.flatMap(({ kind, ident }) => (kind === 'user' ? ident : []));

/** The users in a stored text. */
interface FoundUsers {
  /** Their identifiers as they are written there, with what follows up to the next control character. */
  idents: string[];
  /** The number of users, some of whose identifiers may have been missed. */
  begun: number;
}

/** Restores the JSON of stored texts. */
export function fullEventTexts({ summary, detail }: EventTexts): EventTexts {
  const full = fullSummary(summary);
  return { summary: full, detail: fullDetail(detail, full) };
}

/** Restores the JSON of stored details. `summary` is the full text of the same event. */
export const fullDetail = (detail: string, summary: string): string =>
  expanded(detail, detail.includes(SUMMARY_PARAMETER) ? parametersOf(summary) : []);

/** The content of stored texts. */
export function parsedEventTexts(stored: EventTexts): { summary: Summary; detail: LabeledParameter[] } {
  const { summary, detail } = fullEventTexts(stored);
  return { summary: JSON.parse(summary), detail: JSON.parse(detail) };
}

/** The JSON of a stored text. Adds its users to `users`. */
function expanded(short: string, parameters: readonly string[], users?: FoundUsers): string {
  let full = '';
  let from = 0;
  let labelFrom = 0;
  let identFrom = 0;
  let [label, ident] = ['', ''];
  let inUser = false;
  const endUser = (found: string) => {
    if (inUser) users?.idents.push(found);
    inUser = false;
  };
  for (let at = 0; at < short.length; at += 1) {
    const code = short.charCodeAt(at);
    if (code >= 0x20) continue;
    const segment = short.slice(from, at);
    full += segment;
    if (labelFrom === from) label = segment;
    if (identFrom === from) {
      ident = segment;
      endUser(ident);
    }
    from = at + 1;
    switch (code) {
      case 0x02:
        identFrom = from;
        full += '","ident":"';
        break;
      case 0x03:
        ident = label;
        full += `","ident":"${label}`;
        endUser(ident);
        break;
      case 0x04:
        full += ident;
        break;
      case 0x05:
        full += parameters[short.charCodeAt(from) - FIRST_PARAMETER] ?? short.slice(at, from + 1);
        at += 1;
        from += 1;
        break;
      case 0x0b:
        full += '","ident":""}';
        endUser('');
        break;
      default:
        full += fragmentOf[code] ?? short.charAt(at);
        if (!startsLabel.has(code)) break;
        labelFrom = from;
        inUser = startsUser.has(code);
        if (inUser && users) users.begun += 1;
    }
  }
  return full + short.slice(from);
}
