// @vitest-environment happy-dom

import { listRepositories } from '@sightline/contract/sources/repositories.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { repository } from '#domains/sources/repositories/repository.fixture.ts';
import { fakeApi } from '#testing/fake-api.ts';
import { fetchAllPages, useRepositoryChoices } from './repository-choices.ts';

const Choices = () => {
  const choices = useRepositoryChoices();
  return choices && <p>{`${choices.length} from ${choices[0]?.label} to ${choices.at(-1)?.label}`}</p>;
};

test('loads repositories in pages of a hundred until none is left (spec 9)', async () => {
  const requestedPages: unknown[] = [];
  fakeApi.answer(listRepositories, ({ query: { page = 1, perPage = 10 } = {} }) => {
    requestedPages.push([page, perPage]);
    const first = (page - 1) * perPage;
    const rows = Array.from({ length: Math.min(perPage, 230 - first) }, (_, n) =>
      repository({ fullName: `acme/${first + n}` }),
    );
    return { rows, total: 230 };
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Choices />
    </QueryClientProvider>,
  );
  expect(await screen.findByText('230 from acme/0 to acme/229')).toBeTruthy();
  expect(requestedPages).toEqual([
    [1, 100],
    [2, 100],
    [3, 100],
  ]);
});

test('stops after two thousand rows of an endless list', async () => {
  let pages = 0;
  const rows = await fetchAllPages(async () => {
    pages += 1;
    return { rows: Array.from({ length: 100 }, () => pages), total: 1_000_000 };
  });
  expect([pages, rows.length]).toEqual([20, 2000]);
});
