import type { Services } from '#core/services.ts';
import type { CodeHost } from '#providers/code-host.ts';
import type { HostRef } from '../../../providers/host-facts.ts';
import type { ImportJob, ImportSource } from './progress.ts';

export interface ImportWork {
  services: Services;
  job: ImportJob;
  host: CodeHost;
  source: ImportSource;
  ref: HostRef;
  /** Whether the time for this run of the import is over. */
  isOver: () => boolean;
  stopping: AbortSignal;
}
