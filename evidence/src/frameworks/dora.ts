import type { FrameworkData } from './framework.ts';

export const dora: FrameworkData = {
  name: 'DORA (EU) 2022/2554',
  source: 'https://eur-lex.europa.eu/eli/reg/2022/2554/oj',
  titles: 'published',
  identifiers: '9 is Article 9 of the regulation; RTS.17 is Article 17 of Delegated Regulation (EU) 2024/1774.',
  requirements: [
    ['5', 'Governance and organisation', 'Governance is a document.'],
    ['6', 'ICT risk management framework', [[['EXC-01'], 'Accepted risks are approved and expire.']]],
    ['8', 'Identification', 'Assets and functions are outside the recorded data.'],
    [
      '9',
      'Protection and prevention',
      [
        [['CHG-01', 'CHG-02', 'CHG-04', 'CHG-05'], 'Changes are recorded, tested, approved and verified.'],
        [
          ['ACC-01', 'ACC-02'],
          'Access to code hosts is limited to active members and reviewed, with deploy keys and apps.',
        ],
      ],
    ],
    ['10', 'Detection', [[['DIG-01'], 'Flagged changes are reviewed every week. It does not cover networks.']]],
    ['11', 'Response and recovery', 'Recovery is outside the recorded data.'],
    ['13', 'Learning and evolving', 'Reviews after incidents are outside the recorded data.'],
    ['17', 'ICT-related incident management process', 'Incidents are outside the recorded data.'],
    [
      '25',
      'Testing of ICT tools and systems',
      [[['SCN-01', 'SCN-02'], 'Source code is reviewed by scanners at merges and regularly.']],
    ],
    ['28', 'General principles', 'Third-party providers are outside the recorded data.'],
    [
      'RTS.3',
      'ICT risk management',
      [[['EXC-01'], 'Accepted residual risks have a reason, an expiry and an approver.']],
    ],
    [
      'RTS.10',
      'Vulnerability and patch management',
      [
        [['SCN-02'], 'Repositories are scanned regularly.'],
        [['VUL-01'], 'Findings are fixed within the limit of their severity.'],
      ],
    ],
    ['RTS.12', 'Logging', 'Logs of systems are outside the recorded data.'],
    ['RTS.15', 'ICT project management', 'Projects are outside the recorded data.'],
    [
      'RTS.16',
      'ICT systems acquisition, development, and maintenance',
      [
        [['CHG-01', 'AI-01'], 'Source code is reviewed by another person.'],
        [['SCN-01'], 'Changed source code is scanned.'],
        [['VUL-02'], 'Secrets in source code are remediated.'],
      ],
    ],
    [
      'RTS.17',
      'ICT change management',
      [
        [['CHG-01', 'CHG-03'], 'The functions that approve changes are independent of those that request them.'],
        [['CHG-02', 'CHG-04'], 'Changes take the approved path.'],
        [['CHG-05'], 'Changes are tested before the merge.'],
        [['CHG-06'], 'The request for the change is recorded.'],
      ],
    ],
    [
      'RTS.20',
      'Identity management',
      [
        [
          ['ACC-01'],
          'Activity and access on code hosts are attributed to active members. It does not cover other systems.',
        ],
      ],
    ],
    [
      'RTS.21',
      'Access control',
      [
        [['ACC-01'], 'Access to code hosts ends with the membership.'],
        [['ACC-02'], 'Access to code hosts is reviewed every quarter, with deploy keys and apps.'],
      ],
    ],
    ['RTS.22', 'ICT-related incident management policy', 'Incidents are outside the recorded data.'],
  ],
};
