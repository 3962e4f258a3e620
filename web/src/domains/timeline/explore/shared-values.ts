import type { Event, Parameter } from '@sightline/contract/timeline/events.ts';

/**
 * Returns the event with shared objects for repeated values. Thousands of events name the same person, repository or
 * phrase, and each response contains new copies.
 */
export function withSharedValues({ summary, ...event }: Event): Event {
  return {
    ...event,
    kind: shared(event.kind),
    type: shared(event.type),
    source: shared(event.source),
    summary: { phrase: shared(summary.phrase), parameters: summary.parameters.map(sharedParameter) },
  };
}

const texts = new Map<string, string>();
function shared<Text extends string>(text: Text): Text {
  const known = texts.get(text) as Text | undefined;
  if (known !== undefined) return known;
  if (texts.size < maxShared) texts.set(text, text);
  return text;
}

const parameters = new Map<string, Parameter>();
function sharedParameter(parameter: Parameter): Parameter {
  if (uniqueKinds.has(parameter.kind)) return parameter;
  const { kind, ident, display, icon = '', data } = parameter;
  const key = `${kind}\n${ident}\n${display}\n${icon}\n${data === undefined ? '' : JSON.stringify(data)}`;
  const known = parameters.get(key);
  if (known) return known;
  if (parameters.size < maxShared) parameters.set(key, parameter);
  return parameter;
}

// Kinds of parameters that rarely occur in more than one event.
const uniqueKinds: ReadonlySet<Parameter['kind']> = new Set(['sha', 'commit', 'text', 'number']);
const maxShared = 20_000;
