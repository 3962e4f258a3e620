import { Button } from '@mantine/core';
import { type ControlState, runControls } from '@sightline/contract/compliance/control-runs.ts';
import { IconScale } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
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
  const evaluation = useMutation({
    mutationFn: () => call(runControls, { body: { period } }),
    onSuccess: (tasks) => toast.success(`Evaluation of ${tasks.length} controls started.`),
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
