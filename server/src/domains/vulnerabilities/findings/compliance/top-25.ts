import type { Control, Standard } from './standard.ts';

// In the order of the lists, worst first; the titles are ours (docs/decisions/0014-compliance-mapping.md).
const list2025 = [
  79, 89, 352, 862, 787, 22, 416, 125, 78, 94, 120, 434, 476, 121, 502, 122, 863, 20, 284, 200, 306, 918, 77, 639, 770,
];
const list2023 = [
  787, 79, 89, 416, 78, 20, 125, 22, 352, 434, 862, 476, 287, 190, 502, 77, 119, 798, 918, 306, 362, 269, 94, 863, 276,
];

const titles: Record<number, string> = {
  20: 'Input that is not checked',
  22: 'Paths that lead out of their folder',
  77: 'Input that becomes part of a command',
  78: 'Input that becomes part of a shell command',
  79: 'Foreign script in a page',
  89: 'Input that becomes part of an SQL statement',
  94: 'Input that becomes part of code',
  119: 'Memory used past its bounds',
  120: 'Copies without a look at the size',
  121: 'Writes past a buffer on the stack',
  122: 'Writes past a buffer on the heap',
  125: 'Reads past the end',
  190: 'Numbers that overflow',
  200: 'Information shown to the wrong people',
  269: 'Privileges handled badly',
  276: 'Permissions too wide from the start',
  284: 'Access that is not limited',
  287: 'Identity that is not proved',
  306: 'Important functions without a login',
  352: 'Requests that another site makes in somebody’s name',
  362: 'Results that depend on who comes first',
  416: 'Memory used after it was given back',
  434: 'Uploads of dangerous files',
  476: 'Null pointers followed',
  502: 'Objects rebuilt from untrusted data',
  639: 'Records reached by guessing their key',
  770: 'Resources handed out without a limit',
  787: 'Writes past the end',
  798: 'Passwords and keys in the code',
  862: 'Rights that are never asked about',
  863: 'Rights that are checked wrongly',
  918: 'Requests the server is made to send',
};

const controlOf = (cwe: number): Control => ({
  control: `CWE-${cwe}`,
  title: titles[cwe] ?? '',
  url: `https://cwe.mitre.org/data/definitions/${cwe}.html`,
  cwes: [cwe],
});

/** The newest first. */
export const top25: readonly Standard[] = [
  { framework: 'CWE Top 25 2025', controls: list2025.map(controlOf) },
  { framework: 'CWE Top 25 2023', controls: list2023.map(controlOf) },
];
