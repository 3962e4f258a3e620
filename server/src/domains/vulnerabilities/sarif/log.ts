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
      if (path.length === 0 && !isList) log.keys = new Set();
      recordKey(log, path);
      if (path.length > 0 && path[0] !== 'runs') return true;
      enterRuns(log, { path, isList, at }, createExpect(at));
      return typeof path[1] !== 'number' || !isSingleValue(path);
    },
    take({ path, value, at }) {
      recordKey(log, path);
      readDocumentField(log, path, value);
      checkValue(path, value, createExpect(at));
      const run = path[0] === 'runs' && typeof path[1] === 'number' ? log.runs[path[1]] : undefined;
      if (run) readRunField(run, path, value);
    },
  };
}

type Expect = (holds: boolean, path: JsonPath, reason: string) => void;

/** Checks an object or list of the runs, and adds a run where one begins. */
function enterRuns(
  log: SarifLog,
  { path, isList, at }: { path: JsonPath; isList: boolean; at: number },
  expect: Expect,
): void {
  const [, index, part] = path;
  if (path.length === 1) {
    expect(isList, path, 'must be a list');
    log.hasRuns = isList;
  }
  if (typeof index !== 'number') return;
  if (path.length === 2) {
    expect(!isList, path, 'must be an object');
    expect(index < MAX_RUNS, path, `exceeds the limit of ${MAX_RUNS} runs`);
    if (index < MAX_RUNS) log.runs[index] = emptyRun();
  }
  if (path.length !== 3) return;
  if (part === 'tool') expect(!isList, path, 'must be an object');
  if (part !== 'results') return;
  expect(isList, path, 'must be a list');
  const run = log.runs[index];
  if (run && isList) run.resultsAt = at;
}

function readDocumentField(log: SarifLog, path: JsonPath, value: unknown): void {
  if (path.length === 0) log.root = nameOf(value);
  if (path.length !== 1) return;
  if (path[0] === 'version') log.version = storableText(value, 50);
  if (path[0] === '$schema') log.schema = storableText(value, 300);
}

/** Checks the type of a value that is no entered object or list, and that no results are elsewhere. */
function checkValue(path: JsonPath, value: unknown, expect: Expect): void {
  const { length } = path;
  if (path[0] === 'inlineExternalProperties' && path[2] === 'results')
    expect(false, path.slice(0, 3), 'has external results, which are not supported. Include them in the run');
  if (path[0] !== 'runs') return;
  expect(length > 1, path, 'must be a list');
  expect(length !== 2, path, 'must be an object');
  if (length === 3 && path[2] === 'results') expect(value === null, path, 'must be a list');
  if (length === 3 && path[2] === 'tool') expect(false, path, 'must be an object');
  if (path[2] === 'externalPropertyFileReferences' && path[3] === 'results')
    expect(false, path.slice(0, 4), 'has results in another file. Include them in this file');
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

type ReadRunField = (run: RunHead, path: JsonPath, value: unknown) => void;

/** How each property of a run is read. `path` begins with `runs`, the index and the property. */
const runFields: Readonly<Record<string, ReadRunField>> = {
  results: (run, path) => {
    if (path.length === 4) run.results += 1;
  },
  originalUriBaseIds: (run, _, value) => {
    run.bases = objectOrEmpty(value);
  },
  artifacts: (run, [, , , index, name], value) => {
    if (typeof index === 'number' && index < MAX_INDEX && name === 'location')
      run.artifacts[index] = objectOrEmpty(value);
  },
  automationDetails: (run, path, value) => {
    if (path.length === 4 && path[3] === 'id') run.automation = storableText(value, 500);
  },
  versionControlProvenance: (run, [, , , index, name, field], value) => {
    if (index === 0 && name === 'revisionId' && isSha(value)) run.commit = value.toLowerCase();
    if (index === 0 && name === 'mappedTo' && field === 'uriBaseId') run.root = storableText(value, 500);
  },
  invocations: (run, path, value) => {
    if (typeof path[3] === 'number') readInvocationField(run, path[3], path.slice(4), value);
  },
  properties: (run, [, , , name]) => {
    if (name === 'imageName' || name === 'imageID' || name === 'repoTags') run.image = true;
  },
  taxonomies: (run, path, value) => {
    if (typeof path[3] === 'number') readComponentField(componentAt(run.taxonomies, path[3]), path.slice(4), value);
  },
  tool: (run, path, value) => {
    const [, , , part, index, name] = path;
    if (part === 'driver') readComponentField(run.driver, path.slice(4), value);
    if (part === 'extensions' && typeof index === 'number')
      readComponentField(componentAt(run.extensions, index), [name ?? '', ...path.slice(6)], value);
  },
};

function readRunField(run: RunHead, path: JsonPath, value: unknown): void {
  const part = path[2];
  if (typeof part === 'string' && Object.hasOwn(runFields, part)) runFields[part]?.(run, path, value);
}

const isNotification = (name: unknown) =>
  name === 'toolExecutionNotifications' || name === 'toolConfigurationNotifications';

const MAX_INVOCATIONS = 1000;
const MAX_ERRORS = 20;

function readInvocationField(run: RunHead, index: number, [name, inside, ...deeper]: JsonPath, value: unknown): void {
  if (name === 'workingDirectory' && inside === 'uri' && deeper.length === 0)
    run.workingDirectory ??= storableText(value, 2000)?.trim();
  if (index >= MAX_INVOCATIONS) return;
  if (name === 'ruleConfigurationOverrides') run.overrides[index] = listOrEmpty(value);
  run.invocations[index] ??= { successful: true, exitCode: undefined, exitText: undefined, errors: [] };
  const invocation = run.invocations[index];
  if (name === 'executionSuccessful' && value === false) invocation.successful = false;
  if (name === 'exitCode' && Number.isInteger(value)) invocation.exitCode = value as number;
  if (name === 'exitCodeDescription' || name === 'exitSignalName' || name === 'processStartFailureMessage')
    invocation.exitText ??= storableText(value, 500)?.trim();
  if (isNotification(name)) readNotification(invocation, value);
}

function readNotification({ errors }: SarifInvocation, value: unknown): void {
  if (valueAt(value, 'level') !== 'error' || errors.length >= MAX_ERRORS) return;
  const id = storableText(valueAt(value, 'descriptor', 'id'), 200);
  const message = storableText(valueAt(value, 'message', 'text'), 2000)?.trim() ?? id ?? '';
  errors.push({ id, message });
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
