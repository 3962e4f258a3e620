import type { FrameworkData } from './framework.ts';

export const iso27001: FrameworkData = {
  name: 'ISO/IEC 27001:2022',
  source: 'https://www.iso.org/standard/27001',
  titles: 'short',
  requirements: [
    [
      'A.5.3',
      'Segregation of duties',
      [
        [['CHG-03'], 'Authors do not merge alone.'],
        [['EXC-01'], 'Requesters do not approve their own waivers.'],
      ],
    ],
    ['A.5.7', 'Threat intelligence', 'The collection of threat information is outside the recorded data.'],
    ['A.5.8', 'Security in project management', 'Projects are outside the recorded data.'],
    [
      'A.5.9',
      'Inventory of assets',
      [[['TOL-01'], 'Lists tools of developers in use. It does not cover other assets.']],
    ],
    ['A.5.15', 'Access control', 'The rules for access are a document.'],
    [
      'A.5.16',
      'Identity management',
      [
        [
          ['ACC-01'],
          'Activity and access on code hosts are attributed to active members. It does not cover other systems.',
        ],
      ],
    ],
    ['A.5.17', 'Authentication information', [[['VUL-02'], 'Secrets exposed in source code are rotated or revoked.']]],
    [
      'A.5.18',
      'Access rights',
      [
        [['ACC-01'], 'Access to code hosts ends with the membership.'],
        [['ACC-02'], 'Access rights on code hosts are reviewed every quarter.'],
      ],
    ],
    ['A.5.21', 'Security in the ICT supply chain', 'Suppliers are outside the recorded data.'],
    ['A.5.24', 'Incident management planning', 'Plans for incidents are a document.'],
    ['A.5.25', 'Assessment of security events', 'Security events of systems are outside the recorded data.'],
    ['A.5.26', 'Response to incidents', 'Incidents are outside the recorded data.'],
    [
      'A.5.28',
      'Collection of evidence',
      [[['LOG-01'], 'Evidence is recorded when it is received, and later changes are detected.']],
    ],
    ['A.5.33', 'Protection of records', [[['LOG-01'], 'Changed or removed records of Sightline are detected.']]],
    [
      'A.5.36',
      'Compliance with policies and standards',
      [
        [['EXC-01'], 'Deviations are approved and expire.'],
        [['DIG-01'], 'Compliance is reviewed every week.'],
      ],
    ],
    [
      'A.8.2',
      'Privileged access rights',
      [
        [
          ['ACC-02'],
          'The review includes roles with administrative rights, administrators and owners on code hosts, and who can bypass the branch protection.',
        ],
      ],
    ],
    ['A.8.3', 'Information access restriction', 'Access to information in systems is outside the recorded data.'],
    [
      'A.8.4',
      'Access to source code',
      [
        [['ACC-01', 'ACC-02'], 'Read and write access to repositories is limited to active members and reviewed.'],
        [['CHG-01', 'CHG-02'], 'Source code changes only through approved pull requests.'],
        [['VUL-02'], 'Secrets in source code are remediated.'],
      ],
    ],
    ['A.8.5', 'Secure authentication', 'Sign-in at code hosts is outside the recorded data.'],
    [
      'A.8.8',
      'Management of technical vulnerabilities',
      [
        [['SCN-02'], 'Repositories are scanned regularly.'],
        [['VUL-01'], 'Findings are fixed within their limit.'],
      ],
    ],
    [
      'A.8.9',
      'Configuration management',
      [[['CHG-04'], 'The configuration of branch protection is compared with the required one every day.']],
    ],
    ['A.8.15', 'Logging', 'Logs of systems are outside the recorded data; the ledger records what Sightline received.'],
    [
      'A.8.16',
      'Monitoring activities',
      [
        [['COV-01'], 'Shows which committers were not monitored.'],
        [['DIG-01'], 'Flagged changes are reviewed every week.'],
      ],
    ],
    ['A.8.17', 'Clock synchronization', 'Clocks of systems are outside the recorded data.'],
    [
      'A.8.19',
      'Software installation',
      [[['TOL-01'], 'Tools of developers in use are approved. It does not cover servers.']],
    ],
    ['A.8.25', 'Secure development life cycle', 'The rules of the life cycle are a document.'],
    ['A.8.26', 'Application security requirements', 'Requirements of applications are a document.'],
    ['A.8.27', 'Secure architecture and engineering principles', 'Architecture is a document.'],
    [
      'A.8.28',
      'Secure coding',
      [
        [['SCN-01'], 'Changed source code is scanned.'],
        [['AI-01'], 'Code of agents is reviewed by a human.'],
      ],
    ],
    [
      'A.8.29',
      'Security testing',
      [
        [['CHG-05'], 'Required checks passed before the merge.'],
        [['SCN-01', 'SCN-02'], 'Scanners ran at merges and regularly.'],
      ],
    ],
    ['A.8.30', 'Outsourced development', 'Contracts with developers are outside the recorded data.'],
    ['A.8.31', 'Separation of environments', 'Environments are outside the recorded data.'],
    [
      'A.8.32',
      'Change management',
      [
        [['CHG-01', 'CHG-02', 'CHG-04'], 'Changes are approved, and the branch enforces it.'],
        [['CHG-05'], 'Changes are tested before the merge.'],
        [['CHG-06'], 'The request for the change is recorded.'],
      ],
    ],
    ['A.8.33', 'Test information', 'Test data is outside the recorded data.'],
  ],
};
