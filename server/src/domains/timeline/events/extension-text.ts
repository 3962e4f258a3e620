import type { IdentifyEvent, Parameter, Summary } from '@sightline/contract/timeline/events.ts';
import type { ClipboardKind, PageKind } from '@sightline/contract/timeline/identifiers.ts';
import type { Actor } from '#core/actor.ts';
import type { Identifiers } from './identifiers.ts';
import type { NewEvent, Telling } from './new-event.ts';
import type { RepositoryReference } from './remotes.ts';
import { oftenShown, type StoredText, shownAs } from './shown.ts';

/** An event of an extension with what is kept of it. */
export interface ExtensionEvent {
  event: IdentifyEvent;
  identifiers: Identifiers;
  /** The enabled repository it names; another one is nobody's affair here, and is not named. */
  repository: RepositoryReference | undefined;
  /** Of the address it gives, parsed once: this is read for every event. */
  site: Parameter | undefined;
}

/** The sentence, details and words that show it. */
export function shownOf(told: ExtensionEvent, actor: Actor): StoredText {
  const { event, identifiers, repository, site } = told;
  if (identifiers.sha !== undefined || identifiers.sha256 !== undefined) return shownAs(tellingOf(told, actor));
  const { event_type, plugin_id, tracking_source } = event;
  const key = JSON.stringify([
    [event_type, plugin_id, tracking_source, actor.email, site?.ident, repository?.fullName, repository?.url],
    identifiers,
  ]);
  return oftenShown(key, () => tellingOf(told, actor));
}

function tellingOf(told: ExtensionEvent, actor: Actor): Telling {
  const { event_type: kind, tracking_source: source } = told.event;
  const say = sentence({ kind: 'user', display: actor.email, ident: actor.email });
  sentences[kind](say, told);
  return { kind, source, summary: say.summary, detail: detailOf(told), words: wordsOf(told) };
}

interface Sentence {
  summary: Summary;
  /** Goes on with a word, or with a thing where there is one. */
  add: (words: string, parameter?: Parameter | undefined) => Sentence;
}

function sentence(subject: Parameter): Sentence {
  const summary: Summary = { phrase: '{0}', parameters: [subject] };
  const say: Sentence = {
    summary,
    add: (words, parameter) => {
      if (words !== '') summary.phrase += ` ${words}`;
      if (parameter) summary.phrase += ` {${summary.parameters.push(parameter) - 1}}`;
      return say;
    },
  };
  return say;
}

const sentences: Record<IdentifyEvent['event_type'], (say: Sentence, told: ExtensionEvent) => void> = {
  commit: (say, { identifiers, repository }) => {
    const { sha, branch } = identifiers;
    say.add('committed', sha === undefined ? undefined : shaOf(sha, repository));
    if (!repository) return identifiers.repository === undefined ? say : say.add('in a repository that is not enabled');
    if (branch) say.add('to', { kind: 'branch', display: branch, ident: branch });
    return say.add('in', repositoryOf(repository));
  },
  ide_clipboard: (say, { identifiers, repository }) => {
    copied(say, identifiers);
    if (!repository) return say.add('in the editor');
    if (identifiers.file) say.add('in', fileOf(identifiers.file, repository));
    return say.add('in', repositoryOf(repository));
  },
  browser_clipboard: (say, { identifiers, site }) => {
    copied(say, identifiers);
    return site ? say.add('on', site) : say.add('in the browser');
  },
  web_page_view: (say, { identifiers, site }) => {
    say.add(viewed[(identifiers.kind as PageKind | undefined) ?? 'other']);
    return site ? say.add(identifiers.kind === undefined || identifiers.kind === 'other' ? '' : 'on', site) : say;
  },
  pull_request: (say, { identifiers, repository }) => {
    say.add('worked on a pull request');
    return repository ? say.add('in', pullRequestOf(identifiers, repository)) : say;
  },
  vulnerability: (say, { repository }) => {
    say.add('viewed a vulnerability');
    return repository ? say.add('in', repositoryOf(repository)) : say;
  },
  other: (say, { event, identifiers: { what = '', tool, version }, site }) => {
    const program: Parameter = { kind: 'tool', display: event.tracking_source, ident: event.tracking_source };
    const doing = Object.hasOwn(done, what) ? done[what] : undefined;
    if (doing && tool) {
      say.add(doing, { kind: 'tool', display: tool, ident: tool });
      return version ? say.add('', { kind: 'text', display: version, ident: version }) : say;
    }
    if (Object.hasOwn(recording, what)) return say.add(recording[what] ?? '', program);
    return site ? say.add('was active on', site) : say.add('was active in', program);
  },
};

const done: Record<string, string> = {
  extension_installed: 'installed',
  extension_updated: 'updated',
  extension_removed: 'removed',
};
const recording: Record<string, string> = { paused: 'paused recording in', resumed: 'resumed recording in' };

const viewed: Record<PageKind, string> = {
  pull_request: 'viewed a pull request',
  issue: 'viewed an issue',
  file: 'viewed a file',
  search: 'searched',
  other: 'viewed',
};

const moved: Record<string, string> = { copy: 'copied', cut: 'cut', paste: 'pasted' };
const ofWhat: Record<ClipboardKind, string> = {
  code: 'of code',
  text: 'of text',
  url: 'of an address',
  path: 'of a path',
  'secret-like': 'of a possible secret',
  number: 'of a number',
  empty: 'of blank space',
};

function copied(say: Sentence, { action = 'copy', length, kind }: Identifiers): void {
  if (length === undefined) {
    say.add(`${moved[action]} text`);
    return;
  }
  say.add(moved[action] ?? '', { kind: 'number', display: length, ident: length });
  say.add(length === '1' ? 'character' : 'characters');
  if (kind !== undefined) say.add(ofWhat[kind as ClipboardKind]);
}

/** Each identifier under the label a person reads. */
function detailOf({ event, identifiers, repository, site }: ExtensionEvent): NewEvent['detail'] {
  const detail: NewEvent['detail'] = [];
  const add = (label: string, parameter: Parameter | undefined) => parameter && detail.push({ label, parameter });
  const { sha, branch, file, repository: named, ...others } = identifiers;
  if (sha) add('Commit', shaOf(sha, repository, sha));
  // Names inside a repository that is not enabled stay as unknown here as its own.
  if (repository) {
    if (branch) add('Branch', { kind: 'branch', display: branch, ident: branch });
    add('Repository', repositoryOf(repository));
    if (file) add('File', fileOf(file, repository));
  }
  for (const [name, value] of Object.entries(others)) {
    add(labels[name as keyof typeof others], { kind: kindOf(name), display: value, ident: value });
  }
  add('Site', site);
  add('Sent by', { kind: 'tool', display: event.plugin_id, ident: event.plugin_id });
  return detail;
}

const labels: Record<Exclude<keyof Identifiers, 'sha' | 'branch' | 'file' | 'repository'>, string> = {
  files: 'Files changed',
  length: 'Length',
  sha256: 'Fingerprint',
  kind: 'Kind',
  language: 'Language',
  action: 'Action',
  number: 'Number',
  what: 'Item',
  tool: 'Tool',
  version: 'Version',
};
const kindOf = (name: string): Parameter['kind'] =>
  name === 'tool' ? 'tool' : name === 'files' || name === 'length' ? 'number' : 'text';

function wordsOf({ identifiers, repository }: ExtensionEvent): string {
  const { sha = '', language = '', kind = '', what = '', tool = '' } = identifiers;
  const inside = repository ? `${identifiers.branch ?? ''} ${identifiers.file ?? ''}` : '';
  return `${sha} ${inside} ${language} ${kind} ${what} ${tool}`;
}

const shaOf = (sha: string, repository: RepositoryReference | undefined, display = sha.slice(0, 7)): Parameter => ({
  kind: 'sha',
  display,
  ident: sha,
  ...(repository ? { data: { url: `${repository.url}/commit/${sha}` } } : {}),
});
const repositoryOf = ({ fullName }: RepositoryReference): Parameter => ({
  kind: 'repository',
  display: fullName,
  ident: fullName,
});
const fileOf = (file: string, { fullName }: RepositoryReference): Parameter => ({
  kind: 'file',
  display: file,
  ident: file,
  data: { repository: fullName },
});
const pullRequestOf = ({ number }: Identifiers, repository: RepositoryReference): Parameter =>
  number === undefined
    ? repositoryOf(repository)
    : {
        kind: 'pr',
        display: `${repository.fullName}#${number}`,
        ident: number,
        data: { repository: repository.fullName },
      };

/** The host alone: paths, queries and user names of an address are not for us to keep. */
export function siteOf(uri: string | undefined): Parameter | undefined {
  const { protocol, hostname } = (uri === undefined ? null : URL.parse(uri)) ?? { protocol: '', hostname: '' };
  if (!/^https?:$/.test(protocol) || hostname === '') return undefined;
  return { kind: 'website', display: hostname, ident: hostname };
}
