import type { Services } from '#core/services.ts';
import type { CodeHost } from '#providers/code-host.ts';
import type { HostRef } from '../../../providers/host-facts.ts';
import type { Job, Source } from './progress.ts';

export interface Work {
  services: Services;
  job: Job;
  host: CodeHost;
  source: Source;
  ref: HostRef;
  /** Whether the turn of this repository is over. */
  isOver: () => boolean;
  stopping: AbortSignal;
}
