import { Button } from '@mantine/core';
import {
  approveFrameworkMapping,
  type FrameworkDetails,
  type MappingVersion,
} from '@sightline/contract/compliance/frameworks.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { useSession } from '#lib/session.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { Facts } from '#ui/Facts.tsx';
import { Panel } from '#ui/Panel.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { absoluteTime } from '#ui/time.ts';
import { toast } from '#ui/toast.ts';
import s from './Frameworks.module.css';

interface MappingPanelProps {
  framework: FrameworkDetails;
  mayApprove: boolean;
}

/** Shows the version of the mappings and its approval. */
export function MappingPanel({ framework: { id, name, mapping }, mayApprove }: MappingPanelProps) {
  const [isAsking, setAsking] = useState(false);
  const isAuthor = useSession()?.accountId === mapping.changed?.by.id;
  const approve = useChange(
    () => call(approveFrameworkMapping, { params: { frameworkId: id }, body: { sha256: mapping.sha256 } }),
    () => {
      setAsking(false);
      toast.success(`The mappings of ${name} are approved.`);
    },
    { failed: 'The mappings were not approved. Try again.' },
  );
  const { approved, version } = mapping;
  return (
    <Panel
      title="Mappings"
      aside={
        mayApprove &&
        !approved &&
        version > 0 && (
          <Button variant="default" size="compact-sm" disabled={isAuthor} onClick={() => setAsking(true)}>
            {isAuthor ? 'Another member must approve' : 'Approve mappings'}
          </Button>
        )
      }
    >
      <Facts
        items={[
          ['Approval', <Approval key="approval" approved={approved} />],
          ['Version', versionText(mapping)],
          [
            'SHA-256',
            <code key="hash" className={s.hash}>
              {mapping.sha256}
            </code>,
          ],
        ]}
      />
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={`Approve the mappings of ${name}?`}
        confirm="Approve"
        pending={approve.isPending}
        onConfirm={() => approve.mutate()}
      >
        Your approval covers every requirement, control and rationale on this page and is recorded in the ledger with
        the hash of the mappings. It cannot be withdrawn. A change of the mappings requires another approval.
      </ConfirmDialog>
    </Panel>
  );
}

const Approval = ({ approved }: Pick<MappingVersion, 'approved'>) =>
  approved ? (
    <>
      <StatusBadge tone="green">Approved</StatusBadge> by <PersonName person={approved.by} />,{' '}
      {absoluteTime(Date.parse(approved.at))}
    </>
  ) : (
    <StatusBadge tone="gray">Not approved</StatusBadge>
  );

function versionText({ version, changed }: MappingVersion): string {
  if (changed) return `${version}, by ${changed.by.name}, ${absoluteTime(Date.parse(changed.at))}`;
  return version === 0 ? 'No mappings yet' : 'Part of the release';
}
