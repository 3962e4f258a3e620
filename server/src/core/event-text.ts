import { type Parameter, parameterKinds, type Summary } from '@sightline/contract/timeline/events.ts';

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

/** Precedes the identifier of a parameter in the stored form, unless that equals its label. */
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

/** The fragments by the code of their character, which must never change. */
const fragments: readonly [code: number, fragment: string][] = [
  [0x02, '","ident":"'],
  [0x06, '{"phrase":"'],
  [0x07, `","parameters":[${startOf('user')}`],
  [0x08, '","parameters":['],
  [0x09, '"},'],
  [0x0a, '"}]}'],
  [0x0b, '","ident":""}'],
  [0x0c, '","data":{"url":"https://'],
  [0x0d, '","data":{"repository":"'],
  [0x0e, '"}},'],
  [0x0f, '"}}]}'],
  [0x10, '{"label":"'],
  [0x11, '","parameter":'],
  [0x12, '},{"label":"'],
  // Only the first kinds have a character: a kind that is added later is written in full.
  ...parameterKinds.slice(0, 13).map((kind, place): [number, string] => [0x13 + place, startOf(kind)]),
];

const fragmentOf = new Map(fragments);
const characterOf = new Map(fragments.map(([code, fragment]) => [fragment, String.fromCharCode(code)]));
/** The characters after which the label of a parameter begins. */
const startsLabel: ReadonlySet<number> = new Set(
  fragments.flatMap(([code, fragment]) => (fragment.endsWith('"display":"') ? code : [])),
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
const identInUrl = /("ident":"([^"\\]+)","data":\{"url":"[^"\\]*)\2/g;

/** Returns the stored form of texts. */
export function shortEventTexts({ summary, detail }: EventTexts): EventTexts {
  return { summary: shortened(summary), detail: shortened(withReferences(detail, summary)) };
}

function shortened(json: string): string {
  const short = json
    .replace(identInUrl, `$1${IDENT_IN_URL}`)
    .replace(repeatedLabel, `$1${SAME_IDENT}`)
    .replace(fragmentPattern, (fragment) => characterOf.get(fragment) ?? fragment);
  // Another writer of JSON may order or escape it differently.
  return expanded(short, []) === expanded(json, []) ? short : json;
}

/** Replaces parameters of the details that the summary contains too. */
function withReferences(detail: string, summary: string): string {
  let short = detail;
  parametersOf(summary).forEach((parameter, place) => {
    const reference = `${SUMMARY_PARAMETER}${String.fromCharCode(FIRST_PARAMETER + place)}`;
    short = short.replaceAll(`"parameter":${parameter}`, `"parameter":${reference}`);
  });
  return short;
}

/** The JSON of the parameters that details can refer to. `summary` is JSON. */
const parametersOf = (summary: string): string[] =>
  (JSON.parse(summary) as { parameters: Parameter[] }).parameters
    .slice(0, MAX_REFERENCES)
    .map((parameter) => JSON.stringify(parameter));

/** Restores the JSON of a stored summary. */
export const fullSummary = (summary: string): string => expanded(summary, []);

/** Restores the JSON of stored texts. */
export function fullEventTexts({ summary, detail }: EventTexts): EventTexts {
  const full = fullSummary(summary);
  return {
    summary: full,
    detail: expanded(detail, detail.includes(SUMMARY_PARAMETER) ? parametersOf(full) : []),
  };
}

/** The content of stored texts. */
export function parsedEventTexts(stored: EventTexts): { summary: Summary; detail: LabeledParameter[] } {
  const { summary, detail } = fullEventTexts(stored);
  return { summary: JSON.parse(summary), detail: JSON.parse(detail) };
}

function expanded(short: string, parameters: readonly string[]): string {
  let full = '';
  let from = 0;
  let labelFrom = 0;
  let identFrom = 0;
  let [label, ident] = ['', ''];
  for (let at = 0; at < short.length; at += 1) {
    const code = short.charCodeAt(at);
    if (code >= 0x20) continue;
    const segment = short.slice(from, at);
    full += segment;
    if (labelFrom === from) label = segment;
    if (identFrom === from) ident = segment;
    from = at + 1;
    switch (code) {
      case 0x02:
        identFrom = from;
        full += '","ident":"';
        break;
      case 0x03:
        ident = label;
        full += `","ident":"${label}`;
        break;
      case 0x04:
        full += ident;
        break;
      case 0x05:
        full += parameters[short.charCodeAt(from) - FIRST_PARAMETER] ?? short.slice(at, from + 1);
        at += 1;
        from += 1;
        break;
      default:
        full += fragmentOf.get(code) ?? short.charAt(at);
        if (startsLabel.has(code)) labelFrom = from;
    }
  }
  return full + short.slice(from);
}
