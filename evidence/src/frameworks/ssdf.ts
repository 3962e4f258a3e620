import type { FrameworkData } from './framework.ts';

export const ssdf: FrameworkData = {
  name: 'NIST SP 800-218 (SSDF)',
  source: 'https://doi.org/10.6028/NIST.SP.800-218',
  titles: 'published',
  requirements: [
    ['PO.1', 'Define Security Requirements for Software Development', 'Security requirements are a document.'],
    [
      'PO.2',
      'Implement Roles and Responsibilities',
      [
        [
          ['ACC-01', 'ACC-02'],
          'Members have roles, and access on code hosts, which are reviewed and end with the membership.',
        ],
      ],
    ],
    [
      'PO.3',
      'Implement Supporting Toolchains',
      [
        [['CHG-04'], 'The code host enforces the required protection.'],
        [['TOL-01', 'COV-01'], 'Tools of developers are approved, and their use is recorded.'],
        [['LOG-01'], 'The toolchain records evidence whose changes are detected.'],
      ],
    ],
    [
      'PO.4',
      'Define and Use Criteria for Software Security Checks',
      [
        [['CHG-05'], 'Required checks decide about the merge.'],
        [['CHG-06'], 'Changes reference their request.'],
        [['EXC-01'], 'Deviations from criteria are approved.'],
      ],
    ],
    [
      'PO.5',
      'Implement and Maintain Secure Environments for Software Development',
      'Environments and endpoints are outside the recorded data.',
    ],
    [
      'PS.1',
      'Protect All Forms of Code from Unauthorized Access and Tampering',
      [
        [
          ['CHG-01', 'CHG-02', 'CHG-04'],
          'Source code changes only through approved pull requests to protected branches.',
        ],
        [['VUL-02'], 'Exposed secrets no longer give access.'],
      ],
    ],
    ['PS.2', 'Provide a Mechanism for Verifying Software Release Integrity', 'Releases are outside the recorded data.'],
    ['PS.3', 'Archive and Protect Each Software Release', 'Releases are outside the recorded data.'],
    [
      'PW.1',
      'Design Software to Meet Security Requirements and Mitigate Security Risks',
      'Design is outside the recorded data.',
    ],
    [
      'PW.2',
      'Review the Software Design to Verify Compliance with Security Requirements and Risk Information',
      'Design is outside the recorded data.',
    ],
    [
      'PW.4',
      'Reuse Existing, Well-Secured Software When Feasible Instead of Duplicating Functionality',
      'The choice of components is outside the recorded data.',
    ],
    [
      'PW.5',
      'Create Source Code by Adhering to Secure Coding Practices',
      'Whether code follows a practice is not decided by a recorded fact.',
    ],
    [
      'PW.6',
      'Configure the Compilation, Interpreter, and Build Processes to Improve Executable Security',
      'Build configurations are outside the recorded data.',
    ],
    [
      'PW.7',
      'Review and/or Analyze Human-Readable Code to Identify Vulnerabilities and Verify Compliance with Security Requirements',
      [
        [['CHG-01', 'CHG-03', 'AI-01'], 'Another person reviewed the code.'],
        [['SCN-01'], 'A scanner analyzed the code.'],
        [['DIG-01'], 'Flagged changes are reviewed again every week.'],
      ],
    ],
    [
      'PW.8',
      'Test Executable Code to Identify Vulnerabilities and Verify Compliance with Security Requirements',
      'Scanners of source code execute nothing, and required checks may be of any kind.',
    ],
    [
      'PW.9',
      'Configure Software to Have Secure Settings by Default',
      'Settings of the software are outside the recorded data.',
    ],
    [
      'RV.1',
      'Identify and Confirm Vulnerabilities on an Ongoing Basis',
      [[['SCN-01', 'SCN-02'], 'Scanners ran at merges and regularly.']],
    ],
    [
      'RV.2',
      'Assess, Prioritize, and Remediate Vulnerabilities',
      [
        [['VUL-01'], 'Findings are fixed within the limit of their severity.'],
        [['EXC-01'], 'Accepted findings are approved and expire.'],
      ],
    ],
    [
      'RV.3',
      'Analyze Vulnerabilities to Identify Their Root Causes',
      'The analysis of causes is outside the recorded data.',
    ],
  ],
};
