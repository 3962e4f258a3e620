import type { IdentifyEvent, Parameter, Summary } from '@sightline/contract/timeline/events.ts';
import type { ClipboardKind, PageKind } from '@sightline/contract/timeline/identifiers.ts';
import type { Actor } from '#core/actor.ts';
import type { Identifiers } from './identifiers.ts';
import type { EventContent, NewEvent } from './new-event.ts';
import type { RepositoryReference } from './remotes.ts';
import { cachedStoredText, type StoredText, storedTextOf } from './stored-text.ts';

/** An event of an extension with its stored values. */
export interface ExtensionEvent {
  event: IdentifyEvent;
  identifiers: Identifiers;
  /** The enabled repository of the event. Other repositories are not recorded. */
  repository: RepositoryReference | undefined;
  /** The site of its URL, parsed once, because every event needs it. */
  site: Parameter | undefined;
}

/** The sentence, details and words of an event. */
export function extensionEventText(reported: ExtensionEvent, actor: Actor): StoredText {
  const { event, identifiers, repository, site } = reported;
  if (identifiers.sha !== undefined || identifiers.sha256 !== undefined)
    return storedTextOf(eventTextOf(reported, actor));
  const { event_type, plugin_id, tracking_source } = event;
  const key = JSON.stringify([
    [event_type, plugin_id, tracking_source, actor.email, site?.ident, repository?.fullName, repository?.url],
    identifiers,
  ]);
  return cachedStoredText(key, () => eventTextOf(reported, actor));
}

function eventTextOf(reported: ExtensionEvent, actor: Actor): EventContent {
  const { event_type: kind, tracking_source: source } = reported.event;
  const say = sentence({ kind: 'user', display: actor.email, ident: actor.email });
  sentences[kind](say, reported);
  return { kind, source, summary: say.summary, detail: detailOf(reported), words: wordsOf(reported) };
}

interface Sentence {
  summary: Summary;
  /** Appends words, and a parameter if given. */
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

const sentences: Record<IdentifyEvent['event_type'], (say: Sentence, reported: ExtensionEvent) => void> = {
  commit: (say, { identifiers, repository }) => {
    const { sha, branch } = identifiers;
    say.add('committed', sha === undefined ? undefined : shaOf(sha, repository));
    if (!repository) return identifiers.repository === undefined ? say : say.add('in a repository that is not enabled');
    if (branch) say.add('to', { kind: 'branch', display: branch, ident: branch });
    return say.add('in', repositoryOf(repository));
  },
  ide_clipboard: (say, { identifiers, repository }) => {
    addCopiedText(say, identifiers);
    if (!repository) return say.add('in the editor');
    if (identifiers.file) say.add('in', fileOf(identifiers.file, repository));
    return say.add('in', repositoryOf(repository));
  },
  browser_clipboard: (say, { identifiers, site }) => {
    addCopiedText(say, identifiers);
    return site ? say.add('on', site) : say.add('in the browser');
  },
  web_page_view: (say, { identifiers, site }) => {
    say.add(viewTexts[(identifiers.kind as PageKind | undefined) ?? 'other']);
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
    const doing = Object.hasOwn(extensionVerbs, what) ? extensionVerbs[what] : undefined;
    if (doing && tool) {
      say.add(doing, { kind: 'tool', display: tool, ident: tool });
      return version ? say.add('', { kind: 'text', display: version, ident: version }) : say;
    }
    if (Object.hasOwn(recordingTexts, what)) return say.add(recordingTexts[what] ?? '', program);
    return site ? say.add('was active on', site) : say.add('was active in', program);
  },
};

const extensionVerbs: Record<string, string> = {
  extension_installed: 'installed',
  extension_updated: 'updated',
  extension_removed: 'removed',
};
const recordingTexts: Record<string, string> = { paused: 'paused recording in', resumed: 'resumed recording in' };

const viewTexts: Record<PageKind, string> = {
  pull_request: 'viewed a pull request',
  issue: 'viewed an issue',
  file: 'viewed a file',
  search: 'searched',
  other: 'viewed',
};

const clipboardVerbs: Record<string, string> = { copy: 'copied', cut: 'cut', paste: 'pasted' };
const clipboardKindTexts: Record<ClipboardKind, string> = {
  code: 'of code',
  text: 'of text',
  url: 'of an address',
  path: 'of a path',
  'secret-like': 'of a possible secret',
  number: 'of a number',
  empty: 'of blank space',
};

function addCopiedText(say: Sentence, { action = 'copy', length, kind }: Identifiers): void {
  if (length === undefined) {
    say.add(`${clipboardVerbs[action]} text`);
    return;
  }
  say.add(clipboardVerbs[action] ?? '', { kind: 'number', display: length, ident: length });
  say.add(length === '1' ? 'character' : 'characters');
  if (kind !== undefined) say.add(clipboardKindTexts[kind as ClipboardKind]);
}

/** The identifiers with their display labels. */
function detailOf({ event, identifiers, repository, site }: ExtensionEvent): NewEvent['detail'] {
  const detail: NewEvent['detail'] = [];
  const add = (label: string, parameter: Parameter | undefined) => parameter && detail.push({ label, parameter });
  const { sha, branch, file, repository: named, ...others } = identifiers;
  if (sha) add('Commit', shaOf(sha, repository, sha));
  // Names within a repository that is not enabled are not recorded.
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

/** Only the host of a URL: its path, query and user name are not stored. */
export function websiteParameterOf(uri: string | undefined): Parameter | undefined {
  const { protocol, hostname } = (uri === undefined ? null : URL.parse(uri)) ?? { protocol: '', hostname: '' };
  if (!/^https?:$/.test(protocol) || hostname === '') return undefined;
  return { kind: 'website', display: hostname, ident: hostname };
}
