// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';
import { Announcer } from './Announcer.tsx';
import { PageTitle } from './PageTitle.tsx';

test('sets the document title, and takes the focus only after a move to another path', async () => {
  const page = (title: string) => (
    <>
      <Announcer />
      <PageTitle key={title} title={title} />
    </>
  );
  const { redraw } = renderWithTheme(page('Home'));
  expect(document.title).toBe('Home · Sightline');
  expect(document.activeElement).toBe(document.body);

  window.history.pushState(null, '', '/members');
  redraw(page('Members'));
  expect(document.title).toBe('Members · Sightline');
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Members' }));
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Members'));
});

test('keeps focus on the heading when rendered again on the same path, and takes it from no other element', () => {
  const page = (key: string) => (
    <>
      <button type="button">Elsewhere</button>
      <PageTitle key={key} title="Home" />
    </>
  );
  const { redraw } = renderWithTheme(page('waiting'));
  screen.getByRole('heading').focus();
  redraw(page('there'));
  expect(document.activeElement).toBe(screen.getByRole('heading'));

  screen.getByRole('button').focus();
  redraw(page('again'));
  expect(document.activeElement).toBe(screen.getByRole('button'));
});
