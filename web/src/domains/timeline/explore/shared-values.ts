import type { Event, Parameter } from '@sightline/contract/timeline/events.ts';

/**
 * The event with what others share: a person, a repository and a phrase are named by thousands of events, and each answer
 * brings them anew.
 */
export function lightened({ summary, ...event }: Event): Event {
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
  if (texts.size < mostShared) texts.set(text, text);
  return text;
}

const parameters = new Map<string, Parameter>();
function sharedParameter(parameter: Parameter): Parameter {
  if (singular.has(parameter.kind)) return parameter;
  const { kind, ident, display, icon = '', data } = parameter;
  const key = `${kind}\n${ident}\n${display}\n${icon}\n${data === undefined ? '' : JSON.stringify(data)}`;
  const known = parameters.get(key);
  if (known) return known;
  if (parameters.size < mostShared) parameters.set(key, parameter);
  return parameter;
}

// What hardly two events have in common.
const singular: ReadonlySet<Parameter['kind']> = new Set(['sha', 'commit', 'text', 'number']);
const mostShared = 20_000;
