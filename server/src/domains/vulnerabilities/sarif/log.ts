import { type JsonItem, type JsonReader, type Path, placeOf } from './json.ts';
import { at, isSha, type JsonRecord, listOf, objectOf, textOf } from './shapes.ts';

/** A tool or a set of rules; rules stand as in the file. */
export interface Component {
  name: string;
  guid: string | undefined;
  version: string | undefined;
  semanticVersion: string | undefined;
  rules: JsonRecord[];
  messages: JsonRecord;
}

/** How the scanner says it ran. */
export interface Invocation {
  /** False: what it did not find may still be there. */
  successful: boolean;
  exitCode: number | undefined;
  exitText: string | undefined;
  /** Notifications of the level error, the first ones. */
  errors: { id: string | undefined; message: string }[];
}

/** What is read of a run, apart from its results. */
export interface RunHead {
  driver: Component;
  extensions: Component[];
  taxonomies: Component[];
  /** `automationDetails.id`. */
  automation: string | undefined;
  commit: string | undefined;
  /** Places that paths begin at, as `originalUriBaseIds` has them. */
  bases: JsonRecord;
  /** Which of them is the root of the repository, where the file says it. */
  root: string | undefined;
  /** Where the scanner ran, as a URI. */
  workingDirectory: string | undefined;
  /** What each invocation sets for rules, by its position. */
  overrides: unknown[][];
  /** Places of files, by their position in `artifacts`. */
  artifacts: JsonRecord[];
  /** Names an image of containers. */
  image: boolean;
  /** The byte its list of results begins with; undefined without one. */
  resultsAt: number | undefined;
  results: number;
  invocations: Invocation[];
}

/** A SARIF file without its results. */
export interface SarifLog {
  runs: RunHead[];
  hasRuns: boolean;
  version: string | undefined;
  schema: string | undefined;
  /** The keys of the document, and what it is where it is no object: they tell what a file is that is no SARIF. */
  keys: Set<string> | undefined;
  root: string;
  /** What stands where something else must stand. */
  problems: { place: string; reason: string }[];
}

export interface LogReader {
  log: SarifLog;
  enter: (path: Path, isList: boolean, at: number) => boolean;
  take: (item: JsonItem) => void;
}

const mostRuns = 1000;
const mostKept = 200_000;

/** Gathers everything but the results while the document goes by. `positionOf` names the line and column of a byte. */
export function createLogReader(positionOf: JsonReader['positionOf']): LogReader {
  const log: SarifLog = {
    runs: [],
    hasRuns: false,
    version: undefined,
    schema: undefined,
    keys: undefined,
    root: 'a list',
    problems: [],
  };
  const expecting = (at: number) => (holds: boolean, path: Path, reason: string) => {
    if (holds || log.problems.length >= 20) return;
    const place = placeOf(path);
    if (log.problems.some((problem) => problem.place === place)) return;
    const [line, column] = positionOf(at) ?? [];
    log.problems.push({ place, reason: line === undefined ? reason : `${reason}, at line ${line}, column ${column}` });
  };
  return {
    log,
    enter(path, isList, at) {
      const expect = expecting(at);
      if (path.length === 0 && !isList) log.keys = new Set();
      if (path.length > 0) noteKey(log, path);
      if (path.length > 0 && path[0] !== 'runs') return true;
      const [, index, part] = path;
      if (path.length === 1) {
        expect(isList, path, 'must be a list');
        log.hasRuns = isList;
      }
      if (typeof index !== 'number') return true;
      if (path.length === 2) {
        expect(!isList, path, 'must be an object');
        expect(index < mostRuns, path, `exceeds the limit of ${mostRuns} runs`);
        if (index < mostRuns) log.runs[index] = emptyRun();
      }
      if (path.length === 3) {
        const wantsList = part === 'results';
        if (part === 'results' || part === 'tool')
          expect(isList === wantsList, path, wantsList ? 'must be a list' : 'must be an object');
        const run = log.runs[index];
        if (run && part === 'results' && isList) run.resultsAt = at;
      }
      return !isTaken(path);
    },
    take({ path, value, at }) {
      const expect = expecting(at);
      noteKey(log, path);
      if (path.length === 0) log.root = nameOf(value);
      if (path.length === 1 && path[0] === 'version') log.version = textOf(value, 50);
      if (path.length === 1 && path[0] === '$schema') log.schema = textOf(value, 300);
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
      takeOfRun(run, path, value);
    },
  };
}

const nameOf = (value: unknown): string =>
  value === null ? 'null' : typeof value === 'string' ? 'a text' : typeof value === 'number' ? 'a number' : 'a boolean';

function noteKey(log: SarifLog, path: Path): void {
  if (typeof path[0] === 'string' && log.keys && log.keys.size < 100) log.keys.add(path[0]);
}

const emptyComponent = (): Component => ({
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

/** What is answered as one value: everything else is gone through and only its texts are looked at. */
function isTaken(path: Path): boolean {
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

function takeOfRun(run: RunHead, path: Path, value: unknown): void {
  const [, , part, third, fourth, fifth] = path;
  switch (part) {
    case 'results':
      if (path.length === 4) run.results += 1;
      return;
    case 'originalUriBaseIds':
      run.bases = objectOf(value);
      return;
    case 'artifacts':
      if (typeof third === 'number' && third < mostKept && fourth === 'location')
        run.artifacts[third] = objectOf(value);
      return;
    case 'automationDetails':
      if (path.length === 4 && third === 'id') run.automation = textOf(value, 500);
      return;
    case 'versionControlProvenance':
      if (third === 0 && fourth === 'revisionId' && isSha(value)) run.commit = value.toLowerCase();
      if (third === 0 && fourth === 'mappedTo' && fifth === 'uriBaseId') run.root = textOf(value, 500);
      return;
    case 'invocations':
      if (typeof third === 'number') takeOfInvocation(run, third, path.slice(4), value);
      return;
    case 'properties':
      if (third === 'imageName' || third === 'imageID' || third === 'repoTags') run.image = true;
      return;
    case 'taxonomies':
      if (typeof third === 'number') takeOfComponent(componentAt(run.taxonomies, third), path.slice(4), value);
      return;
    case 'tool':
      if (third === 'driver') takeOfComponent(run.driver, path.slice(4), value);
      if (third === 'extensions' && typeof fourth === 'number')
        takeOfComponent(componentAt(run.extensions, fourth), [fifth ?? '', ...path.slice(6)], value);
  }
}

const isNotification = (name: unknown) =>
  name === 'toolExecutionNotifications' || name === 'toolConfigurationNotifications';

const mostErrors = 20;

function takeOfInvocation(run: RunHead, index: number, [name, inside, ...deeper]: Path, value: unknown): void {
  if (index < 1000) {
    run.invocations[index] ??= { successful: true, exitCode: undefined, exitText: undefined, errors: [] };
    const invocation = run.invocations[index];
    if (name === 'executionSuccessful' && value === false) invocation.successful = false;
    if (name === 'exitCode' && Number.isInteger(value)) invocation.exitCode = value as number;
    if (name === 'exitCodeDescription' || name === 'exitSignalName' || name === 'processStartFailureMessage')
      invocation.exitText ??= textOf(value, 500)?.trim();
    if (isNotification(name) && at(value, 'level') === 'error' && invocation.errors.length < mostErrors) {
      const id = textOf(at(value, 'descriptor', 'id'), 200);
      const message = textOf(at(value, 'message', 'text'), 2000)?.trim() ?? id ?? '';
      invocation.errors.push({ id, message });
    }
  }
  if (name === 'workingDirectory' && inside === 'uri' && deeper.length === 0)
    run.workingDirectory ??= textOf(value, 2000)?.trim();
  if (name === 'ruleConfigurationOverrides' && index < 1000) run.overrides[index] = listOf(value);
}

function componentAt(components: Component[], index: number): Component {
  const bounded = Math.min(index, 10_000);
  while (components.length <= bounded) components.push(emptyComponent());
  return components[bounded] as Component;
}

function takeOfComponent(component: Component, [name, index, ...deeper]: Path, value: unknown): void {
  if (name === 'rules' && typeof index === 'number' && deeper.length === 0 && index < mostKept) {
    component.rules[index] = objectOf(value);
  }
  if (name === 'globalMessageStrings' && index === undefined) component.messages = objectOf(value);
  if (index !== undefined) return;
  if (name === 'name') component.name = textOf(value, 100)?.trim() ?? '';
  if (name === 'guid') component.guid = textOf(value, 100)?.toLowerCase();
  if (name === 'version') component.version = textOf(value, 100);
  if (name === 'semanticVersion') component.semanticVersion = textOf(value, 100);
}
