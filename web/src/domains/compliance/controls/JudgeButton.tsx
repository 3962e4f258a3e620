import { Button } from '@mantine/core';
import {
  type ControlState,
  getControlsOverview,
  listControls,
  runControls,
} from '@sightline/contract/compliance/control-runs.ts';
import { IconScale } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';
import { may, useSession } from '#lib/session.ts';
import { toast } from '#ui/toast.ts';

interface JudgeButtonProps {
  period: string;
  isJudging: boolean;
  /** undefined while it is not known how they stand. */
  controls: readonly ControlState[] | undefined;
}

/** Has every control judged for the period now. What the ledger holds decides; asking twice changes nothing. */
export function JudgeButton({ period, isJudging, controls }: JudgeButtonProps) {
  const session = useSession();
  const queries = useQueryClient();
  const judging = useMutation({
    mutationFn: () => call(runControls, { body: { period } }),
    onSuccess: (tasks) => toast.success(`Evaluation of ${tasks.length} controls started.`),
    onSettled: () =>
      Promise.all(
        [getControlsOverview, listControls].map((endpoint) => queries.invalidateQueries({ queryKey: keyOf(endpoint) })),
      ),
  });
  if (!may(session, 'create:evidence')) return null;
  const total = controls?.filter(({ isJudged }) => isJudged).length ?? 0;
  const left = controls?.filter(({ task }) => task?.state === 'queued' || task?.state === 'running').length ?? 0;
  return (
    <Button
      leftSection={<IconScale size={15} aria-hidden />}
      loading={judging.isPending}
      disabled={isJudging}
      onClick={() => judging.mutate()}
    >
      {isJudging ? `Evaluating: ${total - left} of ${total} controls` : 'Evaluate controls'}
    </Button>
  );
}
