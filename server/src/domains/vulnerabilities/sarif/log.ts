import { formatJsonPath, type JsonItem, type JsonPath, type JsonReader } from './json.ts';
import { isSha, type JsonRecord, listOrEmpty, objectOrEmpty, storableText, valueAt } from './shapes.ts';

/** A tool or a set of rules, in the order of the file. */
export interface SarifComponent {
  name: string;
  guid: string | undefined;
  version: string | undefined;
  semanticVersion: string | undefined;
  rules: JsonRecord[];
  messages: JsonRecord;
}

/** An invocation as reported by the scanner. */
export interface SarifInvocation {
  /** False: unreported findings may still exist. */
  successful: boolean;
  exitCode: number | undefined;
  exitText: string | undefined;
  /** The first notifications of level error. */
  errors: { id: string | undefined; message: string }[];
}

/** The contents of a run, apart from its results. */
export interface RunHead {
  driver: SarifComponent;
  extensions: SarifComponent[];
  taxonomies: SarifComponent[];
  /** `automationDetails.id`. */
  automation: string | undefined;
  commit: string | undefined;
  /** Base locations of paths, from `originalUriBaseIds`. */
  bases: JsonRecord;
  /** The base ID of the repository root, if the file names it. */
  root: string | undefined;
  /** The working directory of the scanner, as a URI. */
  workingDirectory: string | undefined;
  /** The rule configuration overrides of each invocation, by its index. */
  overrides: unknown[][];
  /** File locations, by their index in `artifacts`. */
  artifacts: JsonRecord[];
  /** Whether the run is about a container image. */
  image: boolean;
  /** The position of the first byte of its list of results; undefined without one. */
  resultsAt: number | undefined;
  results: number;
  invocations: SarifInvocation[];
}

/** A SARIF file without its results. */
export interface SarifLog {
  runs: RunHead[];
  hasRuns: boolean;
  version: string | undefined;
  schema: string | undefined;
  /** The keys of the document, or its type if it is no object: they identify formats other than SARIF. */
  keys: Set<string> | undefined;
  root: string;
  /** Violations of the required structure. */
  problems: { place: string; reason: string }[];
}

export interface SarifLogReader {
  log: SarifLog;
  enter: (path: JsonPath, isList: boolean, at: number) => boolean;
  take: (item: JsonItem) => void;
}

const MAX_RUNS = 1000;
const MAX_INDEX = 200_000;

/** Collects everything but the results from a document. `positionOf` returns the line and column of a byte. */
export function createSarifLogReader(positionOf: JsonReader['positionOf']): SarifLogReader {
  const log: SarifLog = {
    runs: [],
    hasRuns: false,
    version: undefined,
    schema: undefined,
    keys: undefined,
    root: 'a list',
    problems: [],
  };
  const createExpect = (at: number) => (holds: boolean, path: JsonPath, reason: string) => {
    if (holds || log.problems.length >= 20) return;
    const place = formatJsonPath(path);
    if (log.problems.some((problem) => problem.place === place)) return;
    const [line, column] = positionOf(at) ?? [];
    log.problems.push({ place, reason: line === undefined ? reason : `${reason}, at line ${line}, column ${column}` });
  };
  return {
    log,
    enter(path, isList, at) {
      const expect = createExpect(at);
      if (path.length === 0 && !isList) log.keys = new Set();
      if (path.length > 0) recordKey(log, path);
      if (path.length > 0 && path[0] !== 'runs') return true;
      const [, index, part] = path;
      if (path.length === 1) {
        expect(isList, path, 'must be a list');
        log.hasRuns = isList;
      }
      if (typeof index !== 'number') return true;
      if (path.length === 2) {
        expect(!isList, path, 'must be an object');
        expect(index < MAX_RUNS, path, `exceeds the limit of ${MAX_RUNS} runs`);
        if (index < MAX_RUNS) log.runs[index] = emptyRun();
      }
      if (path.length === 3) {
        const isResults = part === 'results';
        if (part === 'results' || part === 'tool')
          expect(isList === isResults, path, isResults ? 'must be a list' : 'must be an object');
        const run = log.runs[index];
        if (run && part === 'results' && isList) run.resultsAt = at;
      }
      return !isSingleValue(path);
    },
    take({ path, value, at }) {
      const expect = createExpect(at);
      recordKey(log, path);
      if (path.length === 0) log.root = nameOf(value);
      if (path.length === 1 && path[0] === 'version') log.version = storableText(value, 50);
      if (path.length === 1 && path[0] === '$schema') log.schema = storableText(value, 300);
      if (path[0] === 'inlineExternalProperties' && path[2] === 'results')
        expect(false, path.slice(0, 3), 'has external results, which are not supported. Include them in the run');
      if (path[0] !== 'runs') return;
      expect(path.length > 1, path, 'must be a list');
      expect(path.length !== 2, path, 'must be an object');
      const run = typeof path[1] === 'number' ? log.runs[path[1]] : undefined;
      if (!run) return;
      if (path.length === 3 && path[2] === 'results') expect(value === null, path, 'must be a list');
      if (path.length === 3 && path[2] === 'tool') expect(false, path, 'must be an object');
      if (path[2] === 'externalPropertyFileReferences' && path[3] === 'results')
        expect(false, path.slice(0, 4), 'has results in another file. Include them in this file');
      readRunField(run, path, value);
    },
  };
}

const nameOf = (value: unknown): string =>
  value === null ? 'null' : typeof value === 'string' ? 'a text' : typeof value === 'number' ? 'a number' : 'a boolean';

function recordKey(log: SarifLog, path: JsonPath): void {
  if (typeof path[0] === 'string' && log.keys && log.keys.size < 100) log.keys.add(path[0]);
}

const emptyComponent = (): SarifComponent => ({
  name: '',
  guid: undefined,
  version: undefined,
  semanticVersion: undefined,
  rules: [],
  messages: {},
});

const emptyRun = (): RunHead => ({
  driver: emptyComponent(),
  extensions: [],
  taxonomies: [],
  automation: undefined,
  commit: undefined,
  bases: {},
  root: undefined,
  workingDirectory: undefined,
  overrides: [],
  artifacts: [],
  image: false,
  resultsAt: undefined,
  results: 0,
  invocations: [],
});

/** Whether a path is returned as one value. Other objects and lists are entered, and only their strings are used. */
function isSingleValue(path: JsonPath): boolean {
  const { length } = path;
  const last = path[length - 1];
  switch (path[2]) {
    case 'results':
      return length === 4;
    case 'originalUriBaseIds':
      return length === 3;
    case 'artifacts':
      return length === 5 && last === 'location';
    case 'invocations':
      return (length === 5 && last === 'ruleConfigurationOverrides') || (length === 6 && isNotification(path[4]));
    case 'tool':
      return path[length - 2] === 'rules' || last === 'globalMessageStrings';
    default:
      return false;
  }
}

function readRunField(run: RunHead, path: JsonPath, value: unknown): void {
  const [, , part, third, fourth, fifth] = path;
  switch (part) {
    case 'results':
      if (path.length === 4) run.results += 1;
      return;
    case 'originalUriBaseIds':
      run.bases = objectOrEmpty(value);
      return;
    case 'artifacts':
      if (typeof third === 'number' && third < MAX_INDEX && fourth === 'location')
        run.artifacts[third] = objectOrEmpty(value);
      return;
    case 'automationDetails':
      if (path.length === 4 && third === 'id') run.automation = storableText(value, 500);
      return;
    case 'versionControlProvenance':
      if (third === 0 && fourth === 'revisionId' && isSha(value)) run.commit = value.toLowerCase();
      if (third === 0 && fourth === 'mappedTo' && fifth === 'uriBaseId') run.root = storableText(value, 500);
      return;
    case 'invocations':
      if (typeof third === 'number') readInvocationField(run, third, path.slice(4), value);
      return;
    case 'properties':
      if (third === 'imageName' || third === 'imageID' || third === 'repoTags') run.image = true;
      return;
    case 'taxonomies':
      if (typeof third === 'number') readComponentField(componentAt(run.taxonomies, third), path.slice(4), value);
      return;
    case 'tool':
      if (third === 'driver') readComponentField(run.driver, path.slice(4), value);
      if (third === 'extensions' && typeof fourth === 'number')
        readComponentField(componentAt(run.extensions, fourth), [fifth ?? '', ...path.slice(6)], value);
  }
}

const isNotification = (name: unknown) =>
  name === 'toolExecutionNotifications' || name === 'toolConfigurationNotifications';

const MAX_ERRORS = 20;

function readInvocationField(run: RunHead, index: number, [name, inside, ...deeper]: JsonPath, value: unknown): void {
  if (index < 1000) {
    run.invocations[index] ??= { successful: true, exitCode: undefined, exitText: undefined, errors: [] };
    const invocation = run.invocations[index];
    if (name === 'executionSuccessful' && value === false) invocation.successful = false;
    if (name === 'exitCode' && Number.isInteger(value)) invocation.exitCode = value as number;
    if (name === 'exitCodeDescription' || name === 'exitSignalName' || name === 'processStartFailureMessage')
      invocation.exitText ??= storableText(value, 500)?.trim();
    if (isNotification(name) && valueAt(value, 'level') === 'error' && invocation.errors.length < MAX_ERRORS) {
      const id = storableText(valueAt(value, 'descriptor', 'id'), 200);
      const message = storableText(valueAt(value, 'message', 'text'), 2000)?.trim() ?? id ?? '';
      invocation.errors.push({ id, message });
    }
  }
  if (name === 'workingDirectory' && inside === 'uri' && deeper.length === 0)
    run.workingDirectory ??= storableText(value, 2000)?.trim();
  if (name === 'ruleConfigurationOverrides' && index < 1000) run.overrides[index] = listOrEmpty(value);
}

function componentAt(components: SarifComponent[], index: number): SarifComponent {
  const bounded = Math.min(index, 10_000);
  while (components.length <= bounded) components.push(emptyComponent());
  return components[bounded] as SarifComponent;
}

function readComponentField(component: SarifComponent, [name, index, ...deeper]: JsonPath, value: unknown): void {
  if (name === 'rules' && typeof index === 'number' && deeper.length === 0 && index < MAX_INDEX) {
    component.rules[index] = objectOrEmpty(value);
  }
  if (name === 'globalMessageStrings' && index === undefined) component.messages = objectOrEmpty(value);
  if (index !== undefined) return;
  if (name === 'name') component.name = storableText(value, 100)?.trim() ?? '';
  if (name === 'guid') component.guid = storableText(value, 100)?.toLowerCase();
  if (name === 'version') component.version = storableText(value, 100);
  if (name === 'semanticVersion') component.semanticVersion = storableText(value, 100);
}
