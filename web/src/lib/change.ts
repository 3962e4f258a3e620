import { type UseMutationResult, useMutation } from '@tanstack/react-query';

interface ChangeOptions {
  /** The caller shows a failure itself. */
  quiet?: boolean;
  /** Shown for a failure that the server gives no reason for. */
  failed?: string | undefined;
}

/**
 * A mutation that shows its failure as a toast. `onSuccess` also runs after its dialog is closed, as Undo needs: a callback
 * that is passed to `mutate` would not. Outdated responses are reloaded by the topics of its endpoint.
 */
export const useChange = <Output, Input = void>(
  change: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output, input: Input) => void,
  { quiet = false, failed }: ChangeOptions = {},
): UseMutationResult<Output, Error, Input> =>
  useMutation({
    mutationFn: change,
    meta: quiet ? { quiet } : { toast: { failed } },
    onSuccess: (output, input) => onSuccess?.(output, input),
  });
