import type { FrameworkData } from './framework.ts';

export const nis2: FrameworkData = {
  name: 'NIS2 (EU) 2022/2555',
  source: 'https://eur-lex.europa.eu/eli/dir/2022/2555/oj',
  titles: 'short',
  identifiers:
    '21.2.e is Article 21(2)(e) of the directive; IR.6.4 is point 6.4 of the annex to Implementing Regulation (EU) 2024/2690.',
  requirements: [
    ['21.2.a', 'Risk analysis and information system security policies', 'Policies are a document.'],
    ['21.2.b', 'Incident handling', 'Incidents are outside the recorded data.'],
    ['21.2.d', 'Supply chain security', 'Suppliers are outside the recorded data.'],
    [
      '21.2.e',
      'Security in acquisition, development and maintenance',
      [
        [['CHG-01', 'CHG-02'], 'Changes of source code are approved by another person.'],
        [['SCN-01', 'SCN-02'], 'Source code is scanned at merges and regularly.'],
        [['VUL-01'], 'Vulnerabilities are handled within their limit. It does not cover disclosure.'],
      ],
    ],
    [
      '21.2.f',
      'Assessment of effectiveness',
      [
        [['LOG-01'], 'Shows each day that the records behind the evaluations are complete.'],
        [['DIG-01'], 'Results are reviewed every week.'],
      ],
    ],
    ['21.2.g', 'Cyber hygiene and training', 'Training is outside the recorded data.'],
    [
      '21.2.i',
      'Human resources security, access control and asset management',
      [
        [
          ['ACC-01', 'ACC-02'],
          'Access to code hosts ends with the membership and is reviewed, with deploy keys and apps.',
        ],
      ],
    ],
    [
      '21.2.j',
      'Multi-factor authentication and secured communication',
      'Sign-in at systems is outside the recorded data.',
    ],
    ['23', 'Reporting obligations', 'Reports to authorities are outside the recorded data.'],
    ['IR.2.2', 'Compliance monitoring', [[['DIG-01'], 'Compliance of changes is reviewed every week.']]],
    ['IR.3.2', 'Monitoring and logging', 'Logs of systems are outside the recorded data.'],
    [
      'IR.6.2',
      'Secure development life cycle',
      [
        [['CHG-01', 'AI-01'], 'Changes are reviewed by another person.'],
        [['SCN-01'], 'Changed source code is scanned.'],
      ],
    ],
    [
      'IR.6.3',
      'Configuration management',
      [[['CHG-04'], 'The configuration of branch protection is compared with the required one every day.']],
    ],
    [
      'IR.6.4',
      'Change management, repairs and maintenance',
      [
        [['CHG-01', 'CHG-02', 'CHG-04'], 'Changes are approved, and the branch enforces it.'],
        [['CHG-05'], 'Changes are tested before the merge.'],
        [['CHG-06'], 'The request for the change is recorded.'],
      ],
    ],
    ['IR.6.5', 'Security testing', [[['SCN-01', 'SCN-02'], 'Scanners of source code ran at merges and regularly.']]],
    [
      'IR.6.6',
      'Security patch management',
      [[['VUL-01'], 'Findings, including those of dependencies, are fixed within their limit.']],
    ],
    [
      'IR.6.9',
      'Protection against malicious and unauthorised software',
      [[['TOL-01'], 'Tools of developers in use are approved. It does not cover malware.']],
    ],
    [
      'IR.6.10',
      'Vulnerability handling and disclosure',
      [
        [['SCN-02', 'VUL-01'], 'Vulnerabilities are found and handled within their limit.'],
        [['EXC-01'], 'Accepted vulnerabilities are approved and expire.'],
      ],
    ],
    ['IR.11.1', 'Access control policy', 'Policies are a document.'],
    [
      'IR.11.2',
      'Management of access rights',
      [
        [['ACC-01'], 'Access to code hosts ends with the membership.'],
        [['ACC-02'], 'Access to code hosts is reviewed every quarter.'],
      ],
    ],
    [
      'IR.11.3',
      'Privileged accounts and system administration accounts',
      [
        [
          ['ACC-02'],
          'The review includes roles with administrative rights, and administrators and owners on code hosts.',
        ],
      ],
    ],
    [
      'IR.11.5',
      'Identification',
      [
        [
          ['ACC-01'],
          'Activity and access on code hosts are attributed to active members. It does not cover other systems.',
        ],
      ],
    ],
    ['IR.11.6', 'Authentication', [[['VUL-02'], 'Secrets exposed in source code are rotated or revoked.']]],
    ['IR.11.7', 'Multi-factor authentication', 'Sign-in at systems is outside the recorded data.'],
    ['IR.12.4', 'Asset inventory', 'Assets are outside the recorded data.'],
  ],
};
