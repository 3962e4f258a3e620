/**
 * What an extension may say in `identifiers`, by type of event; the server drops every other. No text of a page, a file or
 * a clipboard is among them. This file needs nothing, so that extensions may carry it.
 */
export const identifiersOf = {
  /** `repository` is host and path of the remote; `files` how many were changed. */
  commit: ['sha', 'branch', 'repository', 'files'],
  /** `sha256` is salted by the installation, `file` a path inside the repository. */
  ide_clipboard: ['length', 'sha256', 'kind', 'language', 'action', 'repository', 'file'],
  browser_clipboard: ['length', 'sha256', 'kind', 'action'],
  web_page_view: ['kind'],
  pull_request: ['repository', 'number'],
  vulnerability: ['repository'],
  other: ['what', 'tool', 'version'],
} as const satisfies Record<string, readonly string[]>;

export type IdentifiedType = keyof typeof identifiersOf;
export type IdentifierOf<Type extends IdentifiedType> = (typeof identifiersOf)[Type][number];

/** What was copied looks like this; worked out where it was copied, for the text itself never leaves. */
export const clipboardKinds = ['code', 'text', 'url', 'path', 'secret-like', 'number', 'empty'] as const;
export type ClipboardKind = (typeof clipboardKinds)[number];

/** What a page of a known site shows. */
export const pageKinds = ['pull_request', 'issue', 'file', 'search', 'other'] as const;
export type PageKind = (typeof pageKinds)[number];
