/**
 * The permitted `identifiers` of an extension by event type; the server drops all others. They contain no text of
 * pages, files or the clipboard. This file has no imports, so that extensions can bundle it.
 */
export const identifiersOf = {
  /** `repository` is host and path of the remote; `files` the number of changed files. */
  commit: ['sha', 'branch', 'repository', 'files'],
  /** `sha256` is salted by the installation; `file` is a path inside the repository. */
  ide_clipboard: ['length', 'sha256', 'kind', 'language', 'action', 'repository', 'file'],
  browser_clipboard: ['length', 'sha256', 'kind', 'action'],
  web_page_view: ['kind'],
  pull_request: ['repository', 'number'],
  vulnerability: ['repository'],
  other: ['what', 'tool', 'version'],
} as const satisfies Record<string, readonly string[]>;

export type IdentifiedType = keyof typeof identifiersOf;
export type IdentifierOf<Type extends IdentifiedType> = (typeof identifiersOf)[Type][number];

/** The kind of the copied text. The extension determines it, since the text never leaves the machine. */
export const clipboardKinds = ['code', 'text', 'url', 'path', 'secret-like', 'number', 'empty'] as const;
export type ClipboardKind = (typeof clipboardKinds)[number];

/** The content of a page on a known site. */
export const pageKinds = ['pull_request', 'issue', 'file', 'search', 'other'] as const;
export type PageKind = (typeof pageKinds)[number];
