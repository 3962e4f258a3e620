import { Button } from '@mantine/core';
import type { RepositoryDetail } from '@sightline/contract/sources/repositories.ts';
import { allowMissingClasses, listScans, type Scan } from '@sightline/contract/vulnerabilities/scans.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';
import { isOwner, useSession } from '#lib/session.ts';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { toast } from '#ui/toast.ts';
import s from './Scans.module.css';

interface IncompleteProps {
  scan: Scan;
  repository: RepositoryDetail;
}

/** Why a scan did not look at everything, and what that means for what it does not report. */
export function Incomplete({ scan, repository }: IncompleteProps) {
  const { incomplete } = scan;
  if (!incomplete || scan.state === 'failed') return null;
  const { reasons, fixes } = incomplete;
  return (
    <div className={s.incomplete}>
      <StatusBadge tone="orange">Incomplete</StatusBadge>
      {reasons.map(({ message }) => (
        <span key={message} className={s.why}>
          {message}
        </span>
      ))}
      <span className={s.meta}>
        {fixes
          ? 'What it does not report counts as fixed all the same: an Account Owner allowed that.'
          : 'What it does not report may still be there, so nothing counts as fixed.'}
      </span>
      {reasons.every(({ code }) => code === 'missing_classes') && <AllowFixing scan={scan} repository={repository} />}
    </div>
  );
}

function AllowFixing({ scan: { tool, incomplete }, repository: { provider, fullName } }: IncompleteProps) {
  const owner = isOwner(useSession());
  const queryClient = useQueryClient();
  const allowed = incomplete?.allowed ?? false;
  const change = useMutation({
    mutationFn: () =>
      call(allowMissingClasses, {
        params: { provider, repoPath: fullName },
        body: { tool: tool.id, allowed: !allowed },
      }),
    onSuccess: () => {
      toast.success(
        allowed
          ? `From the next scan of ${tool.name} on, missing classes keep findings from counting as fixed.`
          : `From the next scan of ${tool.name} on, findings count as fixed although classes are missing.`,
      );
      void queryClient.invalidateQueries({ queryKey: keyOf(listScans) });
    },
  });
  if (!owner) return null;
  return (
    <Button size="compact-sm" variant="default" loading={change.isPending} onClick={() => change.mutate()}>
      {allowed ? 'Stop allowing fixes' : 'Allow fixes'}
      <span className="vh"> in spite of missing classes of {tool.name}</span>
    </Button>
  );
}
