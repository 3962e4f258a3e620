/**
 * The framework requirements that controls provide evidence for, by identifier. Titles are as published by NIST (SP 800-218 1.1), CIS
 * (Controls 8.1) and OWASP (SAMM 2). The texts of SOC 2, ISO/IEC 27001 and PCI DSS may not be copied: theirs are short names in common use.
 */
export const frameworks = {
  soc2: 'SOC 2 (2017 criteria)',
  iso27001: 'ISO/IEC 27001:2022',
  ssdf: 'NIST SP 800-218 (SSDF)',
  pci: 'PCI DSS 4.0.1',
  cis: 'CIS Controls 8.1',
  samm: 'OWASP SAMM 2',
} as const;
export type FrameworkId = keyof typeof frameworks;

export const requirements = {
  soc2: {
    'CC3.2': 'Risk identification and analysis',
    'CC4.1': 'Monitoring of controls',
    'CC5.1': 'Selection of control activities',
    'CC6.2': 'User registration and deprovisioning',
    'CC6.3': 'Role-based access and access review',
    'CC6.8': 'Prevention of unauthorized software',
    'CC7.1': 'Detection of vulnerabilities and configuration changes',
    'CC7.2': 'Monitoring for anomalies',
    'CC7.4': 'Incident response',
    'CC8.1': 'Change management',
  },
  iso27001: {
    'A.5.3': 'Segregation of duties',
    'A.5.9': 'Inventory of assets',
    'A.5.16': 'Identity management',
    'A.5.17': 'Authentication information',
    'A.5.18': 'Access rights',
    'A.5.28': 'Collection of evidence',
    'A.5.33': 'Protection of records',
    'A.5.36': 'Compliance with policies and standards',
    'A.8.2': 'Privileged access rights',
    'A.8.4': 'Access to source code',
    'A.8.8': 'Management of technical vulnerabilities',
    'A.8.9': 'Configuration management',
    'A.8.16': 'Monitoring activities',
    'A.8.19': 'Software installation',
    'A.8.28': 'Secure coding',
    'A.8.29': 'Security testing',
    'A.8.32': 'Change management',
  },
  ssdf: {
    'PO.2': 'Implement Roles and Responsibilities',
    'PO.3': 'Implement Supporting Toolchains',
    'PO.4': 'Define and Use Criteria for Software Security Checks',
    'PS.1': 'Protect All Forms of Code from Unauthorized Access and Tampering',
    'PW.7':
      'Review and/or Analyze Human-Readable Code to Identify Vulnerabilities and Verify Compliance with Security Requirements',
    'RV.1': 'Identify and Confirm Vulnerabilities on an Ongoing Basis',
    'RV.2': 'Assess, Prioritize, and Remediate Vulnerabilities',
  },
  pci: {
    '6.2.3': 'Code review before release',
    '6.2.3.1': 'Independent manual code review',
    '6.3.1': 'Vulnerability identification and ranking',
    '6.3.3': 'Security patches and updates',
    '6.5.1': 'Change control procedures',
    '7.2.4': 'User access reviews',
    '8.2.4': 'User ID lifecycle management',
    '8.2.5': 'Revocation of access for terminated users',
    '8.6.2': 'No hard-coded secrets',
    '12.3.1': 'Targeted risk analysis',
  },
  cis: {
    '2.1': 'Establish and Maintain a Software Inventory',
    '2.3': 'Address Unauthorized Software',
    '2.5': 'Allowlist Authorized Software',
    '4.1': 'Establish and Maintain a Secure Configuration Process',
    '5.1': 'Establish and Maintain an Inventory of Accounts',
    '6.2': 'Establish an Access Revoking Process',
    '6.8': 'Define and Maintain Role-Based Access Control',
    '7.2': 'Establish and Maintain a Remediation Process',
    '7.7': 'Remediate Detected Vulnerabilities',
    '8.2': 'Collect Audit Logs',
    '8.11': 'Conduct Audit Log Reviews',
    '16.1': 'Establish and Maintain a Secure Application Development Process',
    '16.2': 'Establish and Maintain a Process to Accept and Address Software Vulnerabilities',
    '16.12': 'Implement Code-Level Security Checks',
  },
  samm: {
    'G-PC': 'Policy and Compliance',
    'I-SB': 'Secure Build',
    'I-SD': 'Secure Deployment',
    'I-DM': 'Defect Management',
    'V-ST': 'Security Testing',
    'O-EM': 'Environment Management',
    'O-OM': 'Operational Management',
  },
} as const satisfies Record<FrameworkId, Readonly<Record<string, string>>>;

/** The framework requirements that a control provides evidence for. */
export type Crosswalk = { readonly [F in FrameworkId]?: readonly (keyof (typeof requirements)[F])[] };
