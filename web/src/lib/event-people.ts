import type { Event, NamedPerson, Parameter } from '@sightline/contract/timeline/events.ts';

/**
 * Returns the event with the current names of its people. Stored sentences contain the login or address at that time.
 */
export const withPeople = (event: Event, people: Readonly<Record<string, NamedPerson>>): Event => ({
  ...event,
  summary: { ...event.summary, parameters: event.summary.parameters.map((one) => asPerson(one, people)) },
});

function asPerson(parameter: Parameter, people: Readonly<Record<string, NamedPerson>>): Parameter {
  const person = parameter.kind === 'user' ? people[parameter.ident.toLowerCase()] : undefined;
  if (!person) return parameter;
  const { id, name, picture } = person;
  return { ...parameter, display: name, data: { ...parameter.data, person: id, ...(picture !== null && { picture }) } };
}
