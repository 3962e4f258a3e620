import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Organization } from '@sightline/contract/organization/organizations.ts';
import { lazy, Suspense } from 'react';
import { Banner } from '#ui/Banner.tsx';
import s from './Settings.module.css';

// The banner is part of the first screen of a demo, the dialog is not.
const RemoveDemoDialog = lazy(async () => ({ default: (await import('./RemoveDemoDialog.tsx')).RemoveDemoDialog }));

/** Labels generated data on every page. Account Owners remove it here. */
export function DemoBanner({ organization: { role } }: { organization: Organization }) {
  const [asking, { open, close }] = useDisclosure(false);
  return (
    <div className={s.archived}>
      <Banner tone="info">
        <div className={s.archivedText}>
          <p>
            <b>Demo data.</b> People, code and findings are generated. Ledger entries, reviews and snapshots have the
            date on which the demo was created.
          </p>
          {role === 'rol_owner' && (
            <Button variant="default" size="compact-sm" onClick={open}>
              Remove demo data
            </Button>
          )}
        </div>
      </Banner>
      {asking && (
        <Suspense>
          <RemoveDemoDialog onClose={close} />
        </Suspense>
      )}
    </div>
  );
}
