import { ApiError } from '@sightline/contract/core/client.ts';
import type { CallInput, Endpoint } from '@sightline/contract/core/endpoint.ts';
import { useEffect, useRef, useState } from 'react';
import { download } from './download.ts';

export interface ExportState {
  done: number;
  /** 0 if unknown in advance. */
  total: number;
  /** Why it failed; undefined while running. */
  failure?: string;
}

/** Runs one export at a time, with progress, cancellation and retry. Calls `onDone` after a file was saved. */
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
        const message = error instanceof ApiError ? error.refusal?.message : undefined;
        setState({ done: 0, total: 0, failure: message ?? 'The connection was lost. Nothing was saved.' });
      },
    );
  };
  const stop = () => {
    running.current?.abort();
    setState(undefined);
  };
  return { state, start, stop, retry: () => last.current?.() };
}
