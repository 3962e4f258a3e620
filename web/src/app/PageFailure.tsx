import { Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { use, useEffect, useState } from 'react';
import { legal } from '#lib/site.ts';
import { Focus } from '#ui/Focus.tsx';
import { Notice } from '#ui/Notice.tsx';
import { InFrameContext } from './Framed.ts';

/**
 * Replaces a page that could not be rendered: its files did not load because the browser is offline, or no longer exist
 * after an update.
 */
export function PageFailure({ error }: ErrorComponentProps) {
  useEffect(() => console.error(error), [error]);
  const [isOffline] = useState(!navigator.onLine);
  const reason = isOffline ? <Offline /> : <Failed />;
  return use(InFrameContext) ? reason : <Focus legal={legal}>{reason}</Focus>;
}

function Offline() {
  useEffect(() => {
    const reload = () => window.location.reload();
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, []);
  return <Notice title="You are offline">This page is not loaded yet. It opens once the connection is back.</Notice>;
}

const Failed = () => (
  <Notice title="Page not shown" actions={<Button onClick={() => window.location.reload()}>Reload Page</Button>}>
    Sightline may have been updated since you opened it. Reload the page to continue.
  </Notice>
);
