import { Button } from '@mantine/core';
import { type ControlState, getControl, runControl } from '@sightline/contract/compliance/control-runs.ts';
import { IconScale } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { toast } from '#ui/toast.ts';

interface EvaluateAgainProps {
  control: ControlState;
  which: { period: string; asOf: string | undefined };
}

/** Evaluates the control now, or again at the selected checkpoint, which must yield the same items. */
export function EvaluateControlButton({ control, which }: EvaluateAgainProps) {
  const queries = useQueryClient();
  const evaluation = useMutation({
    mutationFn: () => call(runControl, { params: { id: control.id }, body: which }),
    onSuccess: () => toast.success(`Evaluation of ${control.id} started.`),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(getControl) }),
  });
  const isEvaluating = control.task?.state === 'queued' || control.task?.state === 'running';
  if (!hasPermission(useSession(), 'create:evidence') || !control.isEvaluated) return null;
  return (
    <Button
      leftSection={<IconScale size={15} aria-hidden />}
      loading={evaluation.isPending}
      disabled={isEvaluating}
      onClick={() => evaluation.mutate()}
    >
      {isEvaluating ? `Evaluating: ${number.format(control.task?.evaluated ?? 0)} items` : 'Evaluate control'}
    </Button>
  );
}

const number = new Intl.NumberFormat('en-GB');
