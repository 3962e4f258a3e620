import type { ComplianceStandard } from './standard.ts';

// Titles and mapped CWEs as published by OWASP
// (docs/decisions/0014-compliance-mapping.md).
const owasp2025: ComplianceStandard = {
  framework: 'OWASP Top 10 2025',
  controls: [
    {
      control: 'A01:2025',
      title: 'Broken Access Control',
      url: 'https://owasp.org/Top10/2025/A01_2025-Broken_Access_Control/',
      cwes: [
        22, 23, 36, 59, 61, 65, 200, 201, 219, 276, 281, 282, 283, 284, 285, 352, 359, 377, 379, 402, 424, 425, 441,
        497, 538, 540, 548, 552, 566, 601, 615, 639, 668, 732, 749, 862, 863, 918, 922, 1275,
      ],
    },
    {
      control: 'A02:2025',
      title: 'Security Misconfiguration',
      url: 'https://owasp.org/Top10/2025/A02_2025-Security_Misconfiguration/',
      cwes: [5, 11, 13, 15, 16, 260, 315, 489, 526, 547, 611, 614, 776, 942, 1004, 1174],
    },
    {
      control: 'A03:2025',
      title: 'Software Supply Chain Failures',
      url: 'https://owasp.org/Top10/2025/A03_2025-Software_Supply_Chain_Failures/',
      cwes: [447, 1035, 1104, 1329, 1357, 1395],
    },
    {
      control: 'A04:2025',
      title: 'Cryptographic Failures',
      url: 'https://owasp.org/Top10/2025/A04_2025-Cryptographic_Failures/',
      cwes: [
        261, 296, 319, 320, 321, 322, 323, 324, 325, 326, 327, 328, 329, 330, 331, 332, 334, 335, 336, 337, 338, 340,
        342, 347, 523, 757, 759, 760, 780, 916, 1240, 1241,
      ],
    },
    {
      control: 'A05:2025',
      title: 'Injection',
      url: 'https://owasp.org/Top10/2025/A05_2025-Injection/',
      cwes: [
        20, 74, 76, 77, 78, 79, 80, 83, 86, 88, 89, 90, 91, 93, 94, 95, 96, 97, 98, 99, 103, 104, 112, 113, 114, 115,
        116, 129, 159, 470, 493, 500, 564, 610, 643, 644, 917,
      ],
    },
    {
      control: 'A06:2025',
      title: 'Insecure Design',
      url: 'https://owasp.org/Top10/2025/A06_2025-Insecure_Design/',
      cwes: [
        73, 183, 256, 266, 269, 286, 311, 312, 313, 316, 362, 382, 419, 434, 436, 444, 451, 454, 472, 501, 522, 525,
        539, 598, 602, 628, 642, 646, 653, 656, 657, 676, 693, 799, 807, 841, 1021, 1022, 1125,
      ],
    },
    {
      control: 'A07:2025',
      title: 'Authentication Failures',
      url: 'https://owasp.org/Top10/2025/A07_2025-Authentication_Failures/',
      cwes: [
        258, 259, 287, 288, 289, 290, 291, 293, 294, 295, 297, 298, 299, 300, 302, 303, 304, 305, 306, 307, 308, 309,
        346, 350, 384, 521, 613, 620, 640, 798, 940, 941, 1390, 1391, 1392, 1393,
      ],
    },
    {
      control: 'A08:2025',
      title: 'Software or Data Integrity Failures',
      url: 'https://owasp.org/Top10/2025/A08_2025-Software_or_Data_Integrity_Failures/',
      cwes: [345, 353, 426, 427, 494, 502, 506, 509, 565, 784, 829, 830, 915, 926],
    },
    {
      control: 'A09:2025',
      title: 'Security Logging and Alerting Failures',
      url: 'https://owasp.org/Top10/2025/A09_2025-Security_Logging_and_Alerting_Failures/',
      cwes: [117, 221, 223, 532, 778],
    },
    {
      control: 'A10:2025',
      title: 'Mishandling of Exceptional Conditions',
      url: 'https://owasp.org/Top10/2025/A10_2025-Mishandling_of_Exceptional_Conditions/',
      cwes: [
        209, 215, 234, 235, 248, 252, 274, 280, 369, 390, 391, 394, 396, 397, 460, 476, 478, 484, 550, 636, 703, 754,
        755, 756,
      ],
    },
  ],
};

const owasp2021: ComplianceStandard = {
  framework: 'OWASP Top 10 2021',
  controls: [
    {
      control: 'A01:2021',
      title: 'Broken Access Control',
      url: 'https://owasp.org/Top10/2021/A01_2021-Broken_Access_Control/',
      cwes: [
        22, 23, 35, 59, 200, 201, 219, 264, 275, 276, 284, 285, 352, 359, 377, 402, 425, 441, 497, 538, 540, 548, 552,
        566, 601, 639, 651, 668, 706, 862, 863, 913, 922, 1275,
      ],
    },
    {
      control: 'A02:2021',
      title: 'Cryptographic Failures',
      url: 'https://owasp.org/Top10/2021/A02_2021-Cryptographic_Failures/',
      cwes: [
        259, 261, 296, 310, 319, 321, 322, 323, 324, 325, 326, 327, 328, 329, 330, 331, 335, 336, 337, 338, 340, 347,
        523, 720, 757, 759, 760, 780, 818, 916,
      ],
    },
    {
      control: 'A03:2021',
      title: 'Injection',
      url: 'https://owasp.org/Top10/2021/A03_2021-Injection/',
      cwes: [
        20, 74, 75, 77, 78, 79, 80, 83, 87, 88, 89, 90, 91, 93, 94, 95, 96, 97, 98, 99, 100, 113, 116, 138, 184, 470,
        471, 564, 610, 643, 644, 652, 917,
      ],
    },
    {
      control: 'A04:2021',
      title: 'Insecure Design',
      url: 'https://owasp.org/Top10/2021/A04_2021-Insecure_Design/',
      cwes: [
        73, 183, 209, 213, 235, 256, 257, 266, 269, 280, 311, 312, 313, 316, 419, 430, 434, 444, 451, 472, 501, 522,
        525, 539, 579, 598, 602, 642, 646, 650, 653, 656, 657, 799, 807, 840, 841, 927, 1021, 1173,
      ],
    },
    {
      control: 'A05:2021',
      title: 'Security Misconfiguration',
      url: 'https://owasp.org/Top10/2021/A05_2021-Security_Misconfiguration/',
      cwes: [2, 11, 13, 15, 16, 260, 315, 520, 526, 537, 541, 547, 611, 614, 756, 776, 942, 1004, 1032, 1174],
    },
    {
      control: 'A06:2021',
      title: 'Vulnerable and Outdated Components',
      url: 'https://owasp.org/Top10/2021/A06_2021-Vulnerable_and_Outdated_Components/',
      cwes: [937, 1035, 1104],
    },
    {
      control: 'A07:2021',
      title: 'Identification and Authentication Failures',
      url: 'https://owasp.org/Top10/2021/A07_2021-Identification_and_Authentication_Failures/',
      cwes: [
        255, 259, 287, 288, 290, 294, 295, 297, 300, 302, 304, 306, 307, 346, 384, 521, 613, 620, 640, 798, 940, 1216,
      ],
    },
    {
      control: 'A08:2021',
      title: 'Software and Data Integrity Failures',
      url: 'https://owasp.org/Top10/2021/A08_2021-Software_and_Data_Integrity_Failures/',
      cwes: [345, 353, 426, 494, 502, 565, 784, 829, 830, 915],
    },
    {
      control: 'A09:2021',
      title: 'Security Logging and Monitoring Failures',
      url: 'https://owasp.org/Top10/2021/A09_2021-Security_Logging_and_Monitoring_Failures/',
      cwes: [117, 223, 532, 778],
    },
    {
      control: 'A10:2021',
      title: 'Server-Side Request Forgery (SSRF)',
      url: 'https://owasp.org/Top10/2021/A10_2021-Server-Side_Request_Forgery_%28SSRF%29/',
      cwes: [918],
    },
  ],
};

const owasp2017: ComplianceStandard = {
  framework: 'OWASP Top 10 2017',
  controls: [
    {
      control: 'A1:2017',
      title: 'Injection',
      url: 'https://owasp.org/www-project-top-ten/2017/Top_10',
      cwes: [77, 78, 88, 89, 90, 91, 564, 917, 943],
    },
    {
      control: 'A2:2017',
      title: 'Broken Authentication',
      url: 'https://owasp.org/www-project-top-ten/2017/Top_10',
      cwes: [256, 287, 308, 384, 522, 523, 613, 620, 640],
    },
    {
      control: 'A3:2017',
      title: 'Sensitive Data Exposure',
      url: 'https://owasp.org/www-project-top-ten/2017/Top_10',
      cwes: [220, 295, 311, 312, 319, 320, 325, 326, 327, 328, 359],
    },
    {
      control: 'A4:2017',
      title: 'XML External Entities (XXE)',
      url: 'https://owasp.org/www-project-top-ten/2017/Top_10',
      cwes: [611, 776],
    },
    {
      control: 'A5:2017',
      title: 'Broken Access Control',
      url: 'https://owasp.org/www-project-top-ten/2017/Top_10',
      cwes: [22, 284, 285, 425, 639],
    },
    {
      control: 'A6:2017',
      title: 'Security Misconfiguration',
      url: 'https://owasp.org/www-project-top-ten/2017/Top_10',
      cwes: [16, 209, 548],
    },
    {
      control: 'A7:2017',
      title: 'Cross-Site Scripting (XSS)',
      url: 'https://owasp.org/www-project-top-ten/2017/Top_10',
      cwes: [79],
    },
    {
      control: 'A8:2017',
      title: 'Insecure Deserialization',
      url: 'https://owasp.org/www-project-top-ten/2017/Top_10',
      cwes: [502],
    },
    {
      control: 'A9:2017',
      title: 'Using Components with Known Vulnerabilities',
      url: 'https://owasp.org/www-project-top-ten/2017/Top_10',
      cwes: [],
    },
    {
      control: 'A10:2017',
      title: 'Insufficient Logging & Monitoring',
      url: 'https://owasp.org/www-project-top-ten/2017/Top_10',
      cwes: [223, 778],
    },
  ],
};

/** Newest first. */
export const owaspTop10: readonly ComplianceStandard[] = [owasp2025, owasp2021, owasp2017];
