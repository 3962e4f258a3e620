import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type Organization, RESTORE_PERIOD_DAYS } from '@sightline/contract/organization/organizations.ts';
import { Panel } from '#ui/Panel.tsx';
import { ArchiveDialog } from './ArchiveDialog.tsx';
import s from './Settings.module.css';

/** Shown to owners if the flag for extended settings is on. */
export function DangerZone({ organization }: { organization: Organization }) {
  const [asking, { open, close }] = useDisclosure(false);
  return (
    <Panel title="Danger Zone" danger>
      <div className={s.setting}>
        <div>
          <h3 className={s.what}>Archive organization</h3>
          <p>
            Code Contributors, Digest Reviewers and Auditors lose access immediately. Account Owners keep read access.
            No data is changed or imported. An Account Owner can restore the organization within {RESTORE_PERIOD_DAYS}{' '}
            days.
          </p>
        </div>
        <Button color="red" variant="outline" onClick={open}>
          Archive organization
        </Button>
      </div>
      {/* Mounted on each opening, so that the name must be typed each time. */}
      {asking && <ArchiveDialog organization={organization} onClose={close} />}
    </Panel>
  );
}
