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
import { hasPermission, useSession } from '#lib/session.ts';
import { toast } from '#ui/toast.ts';

interface EvaluateButtonProps {
  period: string;
  isEvaluating: boolean;
  /** Undefined while loading. */
  controls: readonly ControlState[] | undefined;
}

/** Evaluates every control for the period. Another evaluation at the same checkpoint yields the same result. */
export function EvaluateButton({ period, isEvaluating, controls }: EvaluateButtonProps) {
  const session = useSession();
  const queries = useQueryClient();
  const evaluation = useMutation({
    mutationFn: () => call(runControls, { body: { period } }),
    onSuccess: (tasks) => toast.success(`Evaluation of ${tasks.length} controls started.`),
    onSettled: () =>
      Promise.all(
        [getControlsOverview, listControls].map((endpoint) => queries.invalidateQueries({ queryKey: keyOf(endpoint) })),
      ),
  });
  if (!hasPermission(session, 'create:evidence')) return null;
  const total = controls?.filter(({ isEvaluated }) => isEvaluated).length ?? 0;
  const left = controls?.filter(({ task }) => task?.state === 'queued' || task?.state === 'running').length ?? 0;
  return (
    <Button
      leftSection={<IconScale size={15} aria-hidden />}
      loading={evaluation.isPending}
      disabled={isEvaluating}
      onClick={() => evaluation.mutate()}
    >
      {isEvaluating ? `Evaluating: ${total - left} of ${total} controls` : 'Evaluate controls'}
    </Button>
  );
}
