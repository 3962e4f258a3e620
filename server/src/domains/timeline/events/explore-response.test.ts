import { type Parameter, parameterKinds, queryEvents } from '@sightline/contract/timeline/events.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortEventTexts } from '#core/event-text.ts';
import { exploreResponseJson } from './explore-response.ts';

const text = fc.oneof(fc.string(), fc.constantFrom('', 'main', '"icon":', ',"data":', '\\', '","data":null'));
const parameter: fc.Arbitrary<Parameter> = fc.record(
  {
    kind: fc.constantFrom(...parameterKinds),
    display: text,
    ident: text,
    data: fc.constantFrom({}, { url: 'https://code.example.org/acme' }, { icon: 'mark', data: [1] }),
    icon: text,
  },
  { requiredKeys: ['kind', 'display', 'ident'] },
);
const detail = fc.array(fc.record({ label: text, parameter }), { maxLength: 3 });

test('states each parameter of details with all its fields', () => {
  const request = queryEvents.body.parse({ query: '', pagination: { cursors: {} } });
  fc.assert(
    fc.property(text, fc.array(parameter, { maxLength: 3 }), detail, (phrase, parameters, details) => {
      const summary = JSON.stringify({ phrase, parameters });
      const stored = shortEventTexts({ summary, detail: JSON.stringify(details) });
      const row = {
        id: '1',
        kind: 'commit',
        as_of: '2026-11-21 10:13:14.5+00',
        received_at: '2026-11-21 10:13:15+00',
        source: 'github',
        summary,
        detail: stored.detail,
      };
      const page = { rows: [row], more: false, from: undefined, people: {}, archived: null };
      const { events } = JSON.parse(exploreResponseJson(request, page, { months: 13, clipboardDays: 30 }));
      const complete = (one: Parameter) => ({ ...one, data: one.data ?? {}, icon: one.icon ?? one.kind });
      expect(events[0]).toMatchObject({ summary: { phrase }, as_of: '2026-11-21T10:13:14.5Z' });
      expect(events[0].summary.parameters).toEqual(parameters.map(complete));
      expect(events[0].detail.parameters).toEqual(
        details.map((one) => ({ label: one.label, ...complete(one.parameter), parameter: complete(one.parameter) })),
      );
    }),
    { numRuns: 500 },
  );
});
