import { ApiError } from '@sightline/contract/core/client.ts';
import type { ErrorBody } from '@sightline/contract/core/errors.ts';
import type { Provider } from '@sightline/contract/core/providers.ts';
import { MAX_UPLOAD_BYTES, type Scan, uploadSarif } from '@sightline/contract/vulnerabilities/scans.ts';
import { useRef, useState } from 'react';
import { upload } from '#lib/upload.ts';
import { announce } from '#ui/announce.ts';

/** One file during or after its upload. */
export interface ScanUpload {
  id: number;
  name: string;
  state: 'waiting' | 'sending' | 'matching' | 'done' | 'failed';
  /** From 0 to 1. */
  sent: number;
  scans: Scan[];
  /** Why the server rejected it. */
  failure?: Pick<ErrorBody, 'message' | 'cause' | 'details'>;
}

interface UploadRepository {
  provider: Provider;
  repoPath: string;
  ref: string | undefined;
}

/** Uploads files one after the other. Each can be canceled. A failed one is retried by adding it again. */
export function useUploads() {
  const [uploads, setUploads] = useState<ScanUpload[]>([]);
  const controllers = useRef(new Map<number, AbortController>());
  const lastId = useRef(0);
  const queue = useRef(Promise.resolve());

  const change = (id: number, patch: Partial<ScanUpload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...patch } : one)));

  async function sendOne(id: number, file: File, { provider, repoPath, ref }: UploadRepository): Promise<void> {
    const signal = controllers.current.get(id)?.signal;
    if (!signal || signal.aborted) return;
    change(id, { state: 'sending' });
    const input = { params: { provider, repoPath }, query: { ...(ref !== undefined && { ref }) } };
    const onSent = (sent: number) => change(id, { sent, state: sent < 1 ? 'sending' : 'matching' });
    try {
      const scans = await upload(uploadSarif, input, file, { signal, onSent });
      change(id, { state: 'done', scans });
      announce(`${file.name} imported`);
    } catch (error) {
      if (signal.aborted) return;
      change(id, { state: 'failed', failure: failureOf(error) });
    }
  }

  return {
    uploads,
    send(files: readonly File[], where: UploadRepository) {
      for (const file of files) {
        lastId.current += 1;
        const id = lastId.current;
        const newUpload: ScanUpload = { id, name: file.name, state: 'waiting', sent: 0, scans: [] };
        if (file.size > MAX_UPLOAD_BYTES) {
          setUploads((all) => [{ ...newUpload, state: 'failed', failure: tooLarge }, ...all]);
          continue;
        }
        controllers.current.set(id, new AbortController());
        setUploads((all) => [newUpload, ...all]);
        queue.current = queue.current.then(() => sendOne(id, file, where));
      }
    },
    /** Cancels an upload and removes it from the page. */
    remove(id: number) {
      controllers.current.get(id)?.abort();
      controllers.current.delete(id);
      setUploads((all) => all.filter((one) => one.id !== id));
    },
  };
}

const tooLarge = {
  message: 'The file is larger than the limit of 100 MB.',
  cause: 'Split it, for example by folder, and give each part its own category.',
};

const failureOf = (error: unknown): NonNullable<ScanUpload['failure']> =>
  (error instanceof ApiError && error.refusal) || {
    message: 'The file could not be sent. Check your connection and try again.',
  };
