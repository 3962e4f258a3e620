import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { NotFoundPage } from '#app/NotFoundPage.tsx';
import { Providers } from '#app/providers.tsx';
import { createQueryClient } from '#app/query-client.ts';
import { DialogsPage } from './DialogsPage.tsx';
import { EmptyPage } from './EmptyPage.tsx';
import { Frame } from './Frame.tsx';
import { PartsPage } from './PartsPage.tsx';
import { TablePage } from './TablePage.tsx';

const legal = { terms: '#terms', privacy: '#privacy', contact: '#contact' };

// /?page=<name>: each state of the components on a separate page
const pages: Record<string, ReactNode> = {
  table: (
    <Frame>
      <TablePage state="rows" />
    </Frame>
  ),
  loading: (
    <Frame>
      <TablePage state="loading" />
    </Frame>
  ),
  stale: (
    <Frame>
      <TablePage state="stale" />
    </Frame>
  ),
  none: (
    <Frame organization={false}>
      <TablePage state="none" />
    </Frame>
  ),
  parts: (
    <Frame>
      <PartsPage />
    </Frame>
  ),
  empty: (
    <Frame>
      <EmptyPage />
    </Frame>
  ),
  dialogs: (
    <Frame>
      <DialogsPage />
    </Frame>
  ),
  'not-found': <NotFoundPage legal={legal} />,
};

const page = pages[new URLSearchParams(location.search).get('page') ?? 'table'];
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <Providers queryClient={createQueryClient()}>{page}</Providers>
  </StrictMode>,
);
