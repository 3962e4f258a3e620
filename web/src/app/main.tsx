import './zod.ts';
import '#lib/trustedTypes.ts';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { watchSession } from '#lib/session.ts';
import { Providers } from './providers.tsx';
import { queryClient } from './query-client.ts';
import { createAppRouter } from './router.tsx';

const router = createAppRouter();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

watchSession();
// A transition renders in slices, between which the browser can respond.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <Providers queryClient={queryClient}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  ),
);
