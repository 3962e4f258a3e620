import type { Finding } from '@sightline/contract/vulnerabilities/findings.ts';
import { useState } from 'react';

export interface FindingSelection {
  chosen: ReadonlyMap<string, Finding>;
  has: (id: string) => boolean;
  /** Selects or deselects findings. */
  set: (findings: readonly Finding[], on: boolean) => void;
  clear: () => void;
}

const none: ReadonlyMap<string, Finding> = new Map();

/** The selected findings of a list. The selection persists across pages, and is cleared when the filters change. */
export function useFindingSelection(filter: string): FindingSelection {
  const [selection, setSelection] = useState({ filter, chosen: none });
  const chosen = selection.filter === filter ? selection.chosen : none;
  return {
    chosen,
    has: (id) => chosen.has(id),
    set: (findings, on) => {
      const next = new Map(chosen);
      for (const finding of findings) {
        if (on) next.set(finding.id, finding);
        else next.delete(finding.id);
      }
      setSelection({ filter, chosen: next });
    },
    clear: () => setSelection({ filter, chosen: none }),
  };
}
