import { ApiError } from '@sightline/contract/core/client.ts';
import type { CallInput, Endpoint } from '@sightline/contract/core/endpoint.ts';
import { useEffect, useRef, useState } from 'react';
import { download } from './download.ts';

export interface ExportState {
  done: number;
  /** 0 where the server does not know beforehand. */
  total: number;
  /** Why it failed; undefined while it goes on. */
  failure?: string;
}

/** One export at a time: its progress, how to stop it, and how to try again. `onDone` is called when a file was saved. */
export function useExport<E extends Endpoint & { file: readonly string[] }>(endpoint: E, onDone: () => void) {
  const [state, setState] = useState<ExportState>();
  const running = useRef<AbortController>(undefined);
  const last = useRef<() => void>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const start = (input: CallInput<E>) => {
    const controller = new AbortController();
    running.current = controller;
    last.current = () => start(input);
    setState({ done: 0, total: 0 });
    const onLines = (lines: number, total: number) =>
      setState({ done: total === 0 ? lines : Math.min(lines, total), total });
    download(endpoint, input, { signal: controller.signal, onLines }).then(
      () => {
        setState(undefined);
        onDone();
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const told = error instanceof ApiError ? error.refusal?.message : undefined;
        setState({ done: 0, total: 0, failure: told ?? 'The connection was lost. Nothing was saved.' });
      },
    );
  };
  const stop = () => {
    running.current?.abort();
    setState(undefined);
  };
  return { state, start, stop, retry: () => last.current?.() };
}
