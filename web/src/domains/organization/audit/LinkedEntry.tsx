import { CloseButton } from '@mantine/core';
import { getAuditEntry } from '@sightline/contract/organization/audit.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { Empty } from '#ui/Empty.tsx';
import { Panel } from '#ui/Panel.tsx';
import s from './AuditDetails.module.css';
import { AuditDetails } from './AuditDetails.tsx';
import { AuditSentence } from './AuditSentence.tsx';
import type { AuditPageQuery } from './auditQuery.ts';

interface LinkedEntryProps {
  id: string;
  narrow: (patch: Partial<AuditPageQuery>) => void;
  onClose: () => void;
}

/** Shows the linked entry if it is not on the current page. */
export function LinkedEntry({ id, narrow, onClose }: LinkedEntryProps) {
  const { data, error } = useQuery({
    ...endpointQuery(getAuditEntry, { params: { auditId: id } }),
    meta: { quiet: true },
  });
  return (
    <Panel
      title="Linked entry"
      aside={<CloseButton aria-label="Close the linked entry" onClick={onClose} />}
      className={s.linked}
      flush
    >
      {error?.status === 404 && (
        <Empty kind="no-match" title="Entry not found">
          The link may belong to another organization.
        </Empty>
      )}
      {data && (
        <p className={s.linkedWords}>
          <b>{data.actor.name}</b> <AuditSentence entry={data} />
        </p>
      )}
      {error?.status !== 404 && <AuditDetails id={id} narrow={narrow} />}
    </Panel>
  );
}
