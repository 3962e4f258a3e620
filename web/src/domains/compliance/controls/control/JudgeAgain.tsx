import { Button } from '@mantine/core';
import { type ControlState, getControl, runControl } from '@sightline/contract/compliance/control-runs.ts';
import { IconScale } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';
import { may, useSession } from '#lib/session.ts';
import { toast } from '#ui/toast.ts';

interface JudgeAgainProps {
  control: ControlState;
  which: { period: string; asOf: string | undefined };
}

/** Judges the control now, or again as of the checkpoint that is looked at: the same rows must come of it. */
export function JudgeAgain({ control, which }: JudgeAgainProps) {
  const queries = useQueryClient();
  const judging = useMutation({
    mutationFn: () => call(runControl, { params: { id: control.id }, body: which }),
    onSuccess: () => toast.success(`Evaluation of ${control.id} started.`),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(getControl) }),
  });
  const isJudging = control.task?.state === 'queued' || control.task?.state === 'running';
  if (!may(useSession(), 'create:evidence') || !control.isJudged) return null;
  return (
    <Button
      leftSection={<IconScale size={15} aria-hidden />}
      loading={judging.isPending}
      disabled={isJudging}
      onClick={() => judging.mutate()}
    >
      {isJudging ? `Evaluating: ${number.format(control.task?.judged ?? 0)} items` : 'Evaluate control'}
    </Button>
  );
}

const number = new Intl.NumberFormat('en-GB');
