import type { ComplianceStandard, StandardControl } from './standard.ts';

// In the order of the lists, most severe first, with the short names of MITRE (docs/decisions/0014-compliance-mapping.md).
const list2025 = [
  79, 89, 352, 862, 787, 22, 416, 125, 78, 94, 120, 434, 476, 121, 502, 122, 863, 20, 284, 200, 306, 918, 77, 639, 770,
];
const list2023 = [
  787, 79, 89, 416, 78, 20, 125, 22, 352, 434, 862, 476, 287, 190, 502, 77, 119, 798, 918, 306, 362, 269, 94, 863, 276,
];

const titles: Record<number, string> = {
  20: 'Improper input validation',
  22: 'Path traversal',
  77: 'Command injection',
  78: 'OS command injection',
  79: 'Cross-site scripting',
  89: 'SQL injection',
  94: 'Code injection',
  119: 'Buffer overflow',
  120: 'Classic buffer overflow',
  121: 'Stack-based buffer overflow',
  122: 'Heap-based buffer overflow',
  125: 'Out-of-bounds read',
  190: 'Integer overflow or wraparound',
  200: 'Exposure of sensitive information',
  269: 'Improper privilege management',
  276: 'Incorrect default permissions',
  284: 'Improper access control',
  287: 'Improper authentication',
  306: 'Missing authentication for critical function',
  352: 'Cross-site request forgery',
  362: 'Race condition',
  416: 'Use after free',
  434: 'Unrestricted upload of file with dangerous type',
  476: 'NULL pointer dereference',
  502: 'Deserialization of untrusted data',
  639: 'Authorization bypass through user-controlled key',
  770: 'Allocation of resources without limits or throttling',
  787: 'Out-of-bounds write',
  798: 'Use of hard-coded credentials',
  862: 'Missing authorization',
  863: 'Incorrect authorization',
  918: 'Server-side request forgery',
};

const controlOf = (cwe: number): StandardControl => ({
  control: `CWE-${cwe}`,
  title: titles[cwe] ?? '',
  url: `https://cwe.mitre.org/data/definitions/${cwe}.html`,
  cwes: [cwe],
});

/** Newest first. */
export const cweTop25: readonly ComplianceStandard[] = [
  { framework: 'CWE Top 25 2025', controls: list2025.map(controlOf) },
  { framework: 'CWE Top 25 2023', controls: list2023.map(controlOf) },
];
