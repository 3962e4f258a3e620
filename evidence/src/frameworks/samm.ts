import type { FrameworkData } from './framework.ts';

export const samm: FrameworkData = {
  name: 'OWASP SAMM 2',
  source: 'https://owaspsamm.org/model/',
  titles: 'published',
  requirements: [
    [
      'G-PC',
      'Policy and Compliance',
      [
        [['EXC-01', 'AI-01'], 'Policies apply to changes, and deviations are approved.'],
        [['ACC-01', 'ACC-02', 'DIG-01'], 'Compliance is reviewed regularly.'],
      ],
    ],
    [
      'I-SB',
      'Secure Build',
      [
        [['CHG-02', 'CHG-04', 'CHG-05'], 'Builds start from protected branches with passed checks.'],
        [['TOL-01'], 'Tools of developers are approved.'],
      ],
    ],
    ['I-SD', 'Secure Deployment', [[['VUL-02'], 'Secrets in source code are remediated.']]],
    [
      'I-DM',
      'Defect Management',
      [
        [['CHG-06'], 'Changes reference their defect or request.'],
        [['VUL-01'], 'Findings are fixed within their limit.'],
      ],
    ],
    [
      'V-ST',
      'Security Testing',
      [
        [['CHG-01', 'CHG-03'], 'Changes are reviewed by another person.'],
        [['SCN-01', 'SCN-02'], 'Scanners ran at merges and regularly.'],
      ],
    ],
    ['O-EM', 'Environment Management', [[['COV-01'], 'Shows which committers had the required extension.']]],
    ['O-OM', 'Operational Management', [[['LOG-01'], 'Changed or removed records of Sightline are detected.']]],
  ],
};
