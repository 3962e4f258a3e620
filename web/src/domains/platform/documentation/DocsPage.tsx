import { pages } from 'virtual:user-docs';
import { useParams } from '@tanstack/react-router';
import { DocsArticle } from './Article.tsx';
import { DocsFrame } from './DocsFrame.tsx';
import { NoSuchPage } from './NoSuchPage.tsx';

/** A documentation page (`docs/`), available without signing in and while the server is unreachable. */
export function DocsPage() {
  const name = useParams({ strict: false, select: ({ page }) => page });
  const index = pages.findIndex((page) => page.name === name);
  const page = pages[index];
  return (
    <DocsFrame pages={pages} page={page}>
      {page ? (
        <DocsArticle key={page.name} page={page} before={pages[index - 1]} after={pages[index + 1]} />
      ) : (
        <NoSuchPage />
      )}
    </DocsFrame>
  );
}
