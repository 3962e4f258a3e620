import { Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { legal } from '#lib/site.ts';
import { Focus } from '#ui/Focus.tsx';
import { Notice } from '#ui/Notice.tsx';

/** A page that could not be drawn: most often an older page of ours in a browser that was left open over an update. */
export function PageFailure({ error }: ErrorComponentProps) {
  useEffect(() => console.error(error), [error]);
  return (
    <Focus legal={legal}>
      <Notice
        title="This page could not be shown"
        actions={<Button onClick={() => window.location.reload()}>Reload Page</Button>}
      >
        Sightline may have been updated since you opened it. Reload the page to go on.
      </Notice>
    </Focus>
  );
}
