/** The expected detections of each fixture file, checked manually: line (0 for the entire file), tool, version. */
export const expectations: Record<string, string> = {
  'Checkmarx__ast-cli/.github/workflows/Trivy Scan.yml': `
    0 github-actions
    16 action:actions/checkout v6
    20 go
    22 docker
    24 trivy`,
  'Checkmarx__ast-cli/.github/workflows/checkmarx-one-scan.yml': `
    0 github-actions
    21 action:actions/checkout v6
    25 checkmarx-one`,
  'Checkmarx__ast-cli/.github/workflows/ci-tests.yml': `
    0 github-actions
    26 action:actions/checkout v6
    241 action:actions/checkout v6
    246 action:actions/setup-go v4
    251 go
    254 go
    254 gocovmerge
    259 pip
    260 pip
    261 pip
    261 pre-commit 4.6.0
    265 docker
    281 go
    299 go
    324 gocovmerge
    340 gocovmerge
    357 action:actions/upload-artifact v4
    366 action:actions/upload-artifact v4
    397 action:skitionek/notify-microsoft-teams v1.0.8
    460 docker
    482 action:actions/checkout v6
    487 action:actions/setup-go v4
    492 go
    492 gocovmerge
    495 action:actions/download-artifact v4
    509 gocovmerge
    510 go
    514 go
    527 action:actions/upload-artifact v4
    534 go`,
  'Checkmarx__ast-cli/.github/workflows/govulncheck.yml': `
    0 github-actions
    15 action:actions/checkout v6
    19 action:actions/setup-go v4
    23 go
    23 govulncheck 0782b76
    25 govulncheck`,
  'Checkmarx__ast-cli/.github/workflows/lint.yml': `
    0 github-actions
    18 action:actions/checkout v6
    22 action:actions/setup-go v4
    25 go
    26 go
    28 action:step-security/golangci-lint-action v9.2.0`,
  'Checkmarx__ast-cli/.github/workflows/nightly-parallel.yml': `
    0 github-actions`,
  'Checkmarx__ast-cli/.github/workflows/pr-linter.yml': `
    0 github-actions`,
  'Checkmarx__ast-cli/.github/workflows/release.yml': `
    0 github-actions
    82 action:checkmarx/harden-runner-action v2.19.4
    87 action:actions/checkout v6
    92 action:actions/setup-go v4
    96 action:apple-actions/import-codesign-certs v1
    104 homebrew
    105 homebrew
    106 git
    107 git
    109 homebrew
    112 homebrew
    112 gon
    120 action:douglascamata/setup-docker-macos-action 5643cfd
    124 docker
    125 docker
    128 action:step-security/docker-login-action v4.1.0
    135 action:step-security/cosign-installer v4.1.1
    139 aws-cli
    149 git
    150 git
    151 git
    163 action:step-security/goreleaser-action v7.2.1
    179 cosign
    206 github-cli
    208 github-cli
    215 github-cli
    235 action:checkmarx/plugins-release-workflow main`,
  'Checkmarx__ast-cli/.github/workflows/scan-github-action.yml': `
    0 github-actions
    20 action:actions/checkout v6.0.3
    25 zizmor`,
  'Checkmarx__ast-cli/.github/workflows/trivy-cache.yml': `
    0 github-actions
    16 oras
    25 oras
    32 oras
    37 action:actions/cache v4.2.0`,
  'Checkmarx__ast-cli/.github/workflows/unit-tests.yml': `
    0 github-actions
    23 action:actions/checkout v6
    28 action:actions/setup-go v4
    32 go
    35 go
    35 gotestsum v1.13.0
    51 go
    52 go
    62 python
    71 action:actions/upload-artifact v4
    80 action:actions/upload-artifact v4`,
  'Checkmarx__ast-cli/.golangci.yml': `
    0 golangci-lint`,
  'Checkmarx__ast-cli/.goreleaser.yml': `
    0 goreleaser`,
  'Checkmarx__ast-cli/Dockerfile': `
    0 docker
    1 image:checkmarx/bash 5.3-r12-fd4144660b936c`,
  'expressjs__express/.github/dependabot.yml': `
    0 dependabot
    3 github-actions
    8 npm`,
  'expressjs__express/.github/workflows/ci.yml': `
    0 github-actions
    30 action:actions/checkout v7.0.0
    34 action:actions/setup-node v6.4.0
    39 npm
    42 npm
    56 action:actions/checkout v7.0.0
    61 action:actions/setup-node v6.4.0
    67 npm
    71 npm
    75 nodejs
    76 npm
    80 npm
    83 action:actions/upload-artifact v7.0.1
    96 action:actions/checkout v7.0.0
    102 apt
    102 lcov
    105 action:actions/download-artifact v8.0.1
    112 lcov
    115 coveralls`,
  'expressjs__express/.github/workflows/codeql.yml': `
    0 github-actions
    42 action:actions/checkout v7.0.0
    48 codeql
    74 codeql`,
  'expressjs__express/.github/workflows/legacy.yml': `
    0 github-actions
    40 action:actions/checkout v7.0.0
    45 action:actions/setup-node v6.4.0
    51 npm
    55 npm
    59 nodejs
    60 npm
    64 npm
    67 action:actions/upload-artifact v7.0.1
    80 action:actions/checkout v7.0.0
    86 apt
    86 lcov
    89 action:actions/download-artifact v8.0.1
    96 lcov
    99 coveralls`,
  'expressjs__express/.github/workflows/scorecard.yml': `
    0 github-actions
    35 action:actions/checkout v7.0.0
    40 scorecard
    62 action:actions/upload-artifact v7.0.1
    70 codeql`,
  'gitleaks__gitleaks/.github/dependabot.yml': `
    0 dependabot
    3 go
    9 github-actions`,
  'gitleaks__gitleaks/.github/workflows/gitleaks.yml': `
    0 github-actions
    11 action:actions/checkout v7.0.1
    14 gitleaks`,
  'gitleaks__gitleaks/.github/workflows/release.yml': `
    0 github-actions
    20 action:actions/checkout v7.0.1
    23 action:docker/setup-qemu-action v4.2.0
    27 docker
    30 docker
    36 docker
    44 docker
    51 docker`,
  'gitleaks__gitleaks/.github/workflows/test.yml': `
    0 github-actions
    18 action:actions/checkout v7.0.1
    21 action:actions/setup-go v7.0.0
    26 go
    30 go
    30 gotestsum
    34 gotestsum
    34 go
    37 go
    37 git`,
  'gitleaks__gitleaks/.goreleaser.yml': `
    0 goreleaser`,
  'gitleaks__gitleaks/Dockerfile': `
    0 docker
    1 go 1.24
    4 git
    5 go
    7 alpine-image 3.22
    8 apk
    8 git
    11 git`,
  'jenkinsci__pipeline-examples/jenkinsfile-examples/nodejs-build-test-deploy-docker-notify/Jenkinsfile': `
    0 jenkins
    45 nodejs
    46 npm
    47 npm
    48 npm
    70 npm`,
  'jenkinsci__pipeline-examples/jenkinsfile-examples/sonarqube/Jenkinsfile': `
    0 jenkins
    7 sonarqube
    8 gradle`,
  'octokit__webhooks/.github/renovate.json': `
    0 renovate`,
  'octokit__webhooks/.github/workflows/add_to_octokit_project.yml': `
    0 github-actions
    15 action:actions/add-to-project v1.0.2`,
  'octokit__webhooks/.github/workflows/codeql-analysis.yml': `
    0 github-actions
    41 action:actions/checkout v6
    45 codeql
    59 codeql
    72 codeql`,
  'octokit__webhooks/.github/workflows/immediate-response.yml': `
    0 github-actions
    22 action:peter-evans/create-or-update-comment v4`,
  'octokit__webhooks/.github/workflows/prettier.yml': `
    0 github-actions
    10 action:actions/checkout v6
    13 action:actions/setup-node v6
    17 npm
    20 git
    23 git
    24 git
    25 git
    26 git`,
  'octokit__webhooks/.github/workflows/release-notification.yml': `
    0 github-actions
    11 action:gr2m/await-npm-package-version-action v1
    15 action:gr2m/await-npm-package-version-action v1
    19 action:gr2m/await-npm-package-version-action v1
    23 action:gr2m/release-notifier-action v1`,
  'octokit__webhooks/.github/workflows/release.yml': `
    0 github-actions
    19 action:actions/checkout v6
    20 action:actions/setup-node v6
    24 npm
    25 npm
    26 npm
    26 semantic-release`,
  'octokit__webhooks/.github/workflows/test.yml': `
    0 github-actions
    16 action:actions/checkout v6
    17 action:actions/setup-node v6
    21 npm
    22 npm
    27 action:actions/checkout v6
    28 action:actions/setup-node v6
    32 npm
    33 npm
    34 npm
    39 action:actions/checkout v6
    40 action:actions/setup-node v6
    44 npm
    45 npm
    46 npm
    47 git
    49 git
    55 action:actions/checkout v6
    56 action:actions/setup-node v6
    60 npm
    61 npm
    62 git
    64 git`,
  'octokit__webhooks/.github/workflows/update-prettier.yml': `
    0 github-actions
    10 action:actions/checkout v6
    11 action:actions/setup-node v6
    15 npm
    16 npm
    17 action:gr2m/create-or-update-pull-request-action v1.x`,
  'octokit__webhooks/.github/workflows/update.yml': `
    0 github-actions
    12 action:actions/checkout v6
    13 action:actions/setup-node v6
    17 git
    18 npm
    20 npm
    22 npm
    24 npm
    25 action:gr2m/create-or-update-pull-request-action v1.x
    55 action:gr2m/create-or-update-pull-request-action v1.x
    64 action:gr2m/create-or-update-pull-request-action v1.x
    73 action:gr2m/create-or-update-pull-request-action v1.x`,
};
