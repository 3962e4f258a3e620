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

/** Explains why a scan is incomplete, and the effect on findings that it does not report. */
export function IncompleteScan({ scan, repository }: IncompleteProps) {
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
          ? 'Vulnerabilities that it does not report count as fixed. An Account Owner allowed this.'
          : 'Vulnerabilities that it does not report may still exist, so none counts as fixed.'}
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
          ? `Starting with the next scan of ${tool.name}, findings do not count as fixed if classes are missing.`
          : `Starting with the next scan of ${tool.name}, findings count as fixed even if classes are missing.`,
      );
      void queryClient.invalidateQueries({ queryKey: keyOf(listScans) });
    },
  });
  if (!owner) return null;
  return (
    <Button size="compact-sm" variant="default" loading={change.isPending} onClick={() => change.mutate()}>
      {allowed ? 'Stop allowing fixes' : 'Allow fixes'}
      <span className="vh"> despite missing classes of {tool.name}</span>
    </Button>
  );
}
