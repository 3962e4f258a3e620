import { pages } from 'virtual:user-docs';
import { useParams } from '@tanstack/react-router';
import { Article } from './Article.tsx';
import { DocsFrame } from './DocsFrame.tsx';
import { NoSuchPage } from './NoSuchPage.tsx';

/** A page for users (`docs/`), for whoever asks: signed in or not, and also while the server is away. */
export function DocsPage() {
  const name = useParams({ strict: false, select: ({ page }) => page });
  const place = pages.findIndex((page) => page.name === name);
  const page = pages[place];
  return (
    <DocsFrame pages={pages} page={page}>
      {page ? (
        <Article key={page.name} page={page} before={pages[place - 1]} after={pages[place + 1]} />
      ) : (
        <NoSuchPage />
      )}
    </DocsFrame>
  );
}
