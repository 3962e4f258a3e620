import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import { clipboardKinds, identifiersOf, pageKinds } from '@sightline/contract/timeline/identifiers.ts';

type Identifier = (typeof identifiersOf)[IdentifyEvent['event_type']][number];
export type Identifiers = Partial<Record<Identifier, string>>;

/**
 * The identifiers of an extension event to store: those listed for its type, each in its valid format. A page title or
 * a copied text that a client sends by mistake is therefore not stored.
 */
export function validIdentifiersOf(
  type: IdentifyEvent['event_type'],
  given: IdentifyEvent['identifiers'],
): Identifiers {
  const valid: Identifiers = {};
  for (const name of identifiersOf[type]) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined && (formOf(type, name) ?? forms[name]).test(value)) valid[name] = value;
  }
  return valid;
}

// The kinds of pages differ from those of copied text.
const formOf = (type: IdentifyEvent['event_type'], name: Identifier): RegExp | undefined =>
  type === 'web_page_view' && name === 'kind' ? pageKindFormat : undefined;

const oneOf = (values: readonly string[]) => new RegExp(`^(?:${values.join('|')})$`);
const pageKindFormat = oneOf(pageKinds);
const countFormat = /^\d{1,12}$/;

const forms: Record<Identifier, RegExp> = {
  sha: /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/,
  // Valid in git (git-check-ref-format), which excludes spaces.
  branch: /^[^\s~^:?*[\\\p{Cc}]{1,300}$/u,
  // Host and path, without user, port, query and fragment.
  repository: /^[a-z0-9][a-z0-9.-]*(?:\/[^\s/?#@:]+)+$/i,
  files: countFormat,
  length: countFormat,
  sha256: /^[0-9a-f]{64}$/,
  kind: oneOf(clipboardKinds),
  language: /^[\w.+#-]{1,40}$/,
  action: oneOf(['copy', 'cut', 'paste']),
  // Inside the repository: no drive, no parent folder, no URL.
  file: /^(?![/\\]|[a-z]:)(?!.*(?:^|\/)\.\.(?:\/|$))(?!.*:\/\/)[^\p{Cc}?#]{1,500}$/iu,
  number: countFormat,
  what: /^[a-z][a-z0-9_-]{0,60}$/,
  tool: /^[\w@][\w.@:/+-]{0,199}$/,
  version: /^\d[\w.+-]{0,79}$/,
};
