import { type AuditFilter, type AuditFormat, exportAudit } from '@sightline/contract/audit.ts';
import { ApiError } from '@sightline/contract/client.ts';
import { useEffect, useRef, useState } from 'react';
import { download } from '#lib/download.ts';
import { toast } from '#ui/toast.ts';

export interface ExportState {
  done: number;
  total: number;
  /** Why it failed; undefined while it goes on. */
  failure?: string;
}

type Question = AuditFilter & { older?: unknown; newer?: unknown; perPage?: unknown };

/** One export at a time: its progress, how to stop it, and how to try again. */
export function useExport() {
  const [state, setState] = useState<ExportState>();
  const running = useRef<AbortController>(undefined);
  const last = useRef<() => void>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const start = (format: AuditFormat, { older: _o, newer: _n, perPage: _p, ...filter }: Question) => {
    const controller = new AbortController();
    running.current = controller;
    last.current = () => start(format, filter);
    setState({ done: 0, total: 0 });
    const onLines = (lines: number, total: number) => setState({ done: Math.min(lines, total), total });
    download(exportAudit, { query: { ...filter, format } }, { signal: controller.signal, onLines }).then(
      () => {
        setState(undefined);
        toast.success('The audit log was exported.');
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const told = error instanceof ApiError ? error.refusal?.message : undefined;
        setState({ done: 0, total: 0, failure: told ?? 'The connection was lost on the way. Nothing was saved.' });
      },
    );
  };
  const stop = () => {
    running.current?.abort();
    setState(undefined);
  };
  return { state, start, stop, retry: () => last.current?.() };
}
