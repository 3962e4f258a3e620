import examples from '@octokit/webhooks-examples' with { type: 'json' };
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliverySubjects, parsePayload } from './payload.ts';
import { isRepositoryEvent } from './queue.ts';

const published = (examples as unknown as { name: string; examples: Record<string, unknown>[] }[]).flatMap(
  ({ name, examples: payloads }) => payloads.map((payload) => ({ name, payload })),
);

const idOf = (subject: unknown) => {
  const { id } = (subject ?? {}) as { id?: unknown };
  return typeof id === 'number' ? String(id) : undefined;
};
const subjectsIn = ({ installation, repository }: Record<string, unknown>) => ({
  installation: idOf(installation),
  repository: idOf(repository),
});

test('finds the subjects of published payloads of GitHub in any form', () => {
  expect(published.length).toBeGreaterThan(200);
  for (const { name, payload } of published) {
    const { installation: given, ...others } = payload;
    const installation = { ...(given as object), id: 7, node_id: 'MDIzOkludGVncmF0aW9uSW5zdGFsbGF0aW9uNw==' };
    for (const one of [payload, { installation, ...others }, { ...others, installation }]) {
      const expected = subjectsIn(one);
      const forms = [JSON.stringify(one), JSON.stringify(one, null, 2)];
      for (const body of [...forms, `payload=${encodeURIComponent(JSON.stringify(one))}`]) {
        const found = deliverySubjects(body);
        expect(found?.installation).toBe(expected.installation);
        // Without a decision, a delivery is processed.
        expect([expected.repository, undefined]).toContain(found?.repository);
      }
      if (isRepositoryEvent('github', name))
        expect(deliverySubjects(JSON.stringify(one))?.repository).toBe(expected.repository);
    }
  }
});

test('finds no subject in texts and in inner objects', () => {
  const end = ',"installation":{"id":9}}';
  const text = `x","repository":{"id":8}${end}`;
  const bodies = [
    { installation: { id: 7 }, repository: { id: 6 }, title: text },
    { installation: { id: 7 }, repository: { id: 6 }, inner: { a: text, installation: { id: 9 } } },
    { repository: { id: 6 }, [`a${text}`]: { id: 9 }, installation: { id: 7 } },
    { repository: { id: 6 }, inner: { repository: { id: 8 } }, installation: { id: 7 } },
    { repository: { id: 6 }, inner: { a: 1, installation: { id: 9, node_id: 'x' } }, installation: { id: 7 } },
  ];
  for (const body of bodies) {
    const found = deliverySubjects(JSON.stringify(body));
    expect(found?.installation).toBe('7');
    expect(['6', undefined]).toContain(found?.repository);
  }
});

test('finds the same subjects as a parser in any payload', () => {
  const key = fc.constantFrom('installation', 'repository', 'id', 'node_id', 'x');
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.nat(99),
      fc.constantFrom('', '"', '\\', ',"installation":{"id":5}}', '"repository":{"id":5}'),
      fc.dictionary(key, tie('any')),
      fc.array(tie('any'), { maxLength: 2 }),
    ),
  })).any;
  fc.assert(
    fc.property(fc.dictionary(key, value), (payload) => {
      expect(deliverySubjects(JSON.stringify(payload))?.installation).toBe(subjectsIn(payload).installation);
    }),
    { numRuns: 2_000 },
  );
});

test('reads the last of two installations, as a parser does', () => {
  const body = '{"installation":{"id":1},"installation":{"id":2}}';
  expect(deliverySubjects(body)?.installation).toBe(idOf(parsePayload(body)?.installation));
});
