import type { Finding } from '@sightline/contract/vulnerabilities/findings.ts';
import { useState } from 'react';

export interface Selection {
  chosen: ReadonlyMap<string, Finding>;
  has: (id: string) => boolean;
  /** Takes these in or out. */
  set: (findings: readonly Finding[], on: boolean) => void;
  clear: () => void;
}

const none: ReadonlyMap<string, Finding> = new Map();

/** What is selected in a list. It stays from page to page, and goes with the filters: what cannot be seen is not meant. */
export function useSelection(filter: string): Selection {
  const [held, setHeld] = useState({ filter, chosen: none });
  const chosen = held.filter === filter ? held.chosen : none;
  return {
    chosen,
    has: (id) => chosen.has(id),
    set: (findings, on) => {
      const next = new Map(chosen);
      for (const finding of findings) {
        if (on) next.set(finding.id, finding);
        else next.delete(finding.id);
      }
      setHeld({ filter, chosen: next });
    },
    clear: () => setHeld({ filter, chosen: none }),
  };
}
