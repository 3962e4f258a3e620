import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import { clipboardKinds, identifiersOf, pageKinds } from '@sightline/contract/timeline/identifiers.ts';

type Identifier = (typeof identifiersOf)[IdentifyEvent['event_type']][number];
export type Identifiers = Partial<Record<Identifier, string>>;

/**
 * What of an extension's identifiers is kept: those listed for its type, each in the one form it can have. So a client that
 * sends a page's title or a copied text, by mistake or in a place where none belongs, leaves nothing of it here.
 */
export function keptOf(type: IdentifyEvent['event_type'], given: IdentifyEvent['identifiers']): Identifiers {
  const kept: Identifiers = {};
  for (const name of identifiersOf[type]) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined && (formOf(type, name) ?? forms[name]).test(value)) kept[name] = value;
  }
  return kept;
}

// A page has other kinds than a copy has.
const formOf = (type: IdentifyEvent['event_type'], name: Identifier): RegExp | undefined =>
  type === 'web_page_view' && name === 'kind' ? pageKind : undefined;

const oneOf = (values: readonly string[]) => new RegExp(`^(?:${values.join('|')})$`);
const pageKind = oneOf(pageKinds);
const count = /^\d{1,12}$/;

const forms: Record<Identifier, RegExp> = {
  sha: /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/,
  // What git allows in a name (git-check-ref-format), so no spaces.
  branch: /^[^\s~^:?*[\\\p{Cc}]{1,300}$/u,
  // Host and path, without user, port, query and fragment.
  repository: /^[a-z0-9][a-z0-9.-]*(?:\/[^\s/?#@:]+)+$/i,
  files: count,
  length: count,
  sha256: /^[0-9a-f]{64}$/,
  kind: oneOf(clipboardKinds),
  language: /^[\w.+#-]{1,40}$/,
  action: oneOf(['copy', 'cut', 'paste']),
  // Inside the repository: no drive, no way up, no address.
  file: /^(?![/\\]|[a-z]:)(?!.*(?:^|\/)\.\.(?:\/|$))(?!.*:\/\/)[^\p{Cc}?#]{1,500}$/iu,
  number: count,
  what: /^[a-z][a-z0-9_-]{0,60}$/,
  tool: /^[\w@][\w.@:/+-]{0,199}$/,
  version: /^\d[\w.+-]{0,79}$/,
};
