export interface PipelineStyle {
  path: string;
  content: string;
  /** IDs of all tools that the file references, determined manually. */
  tools: string;
  /** The vendor of each line that uses an action or a reusable workflow. */
  uses?: Record<number, string>;
}

/** Pipelines in various styles, each with its manually determined references. */
export const pipelineStyles: Record<string, PipelineStyle> = {
  'GitHub: a matrix, caches and services': {
    path: '.github/workflows/ci.yml',
    tools: `github-actions action:actions/checkout action:actions/setup-node pnpm codecov postgresql redis playwright
      action:actions/cache action:actions/upload-artifact`,
    uses: { 12: 'GitHub', 13: 'pnpm', 14: 'GitHub', 18: 'GitHub', 24: 'Codecov', 26: 'GitHub' },
    content: `
name: CI
on: { push: { branches: [main] }, pull_request: }
jobs:
  test:
    strategy: { fail-fast: false, matrix: { os: [ubuntu-latest, windows-latest], node: [20, 22] } }
    runs-on: \${{ matrix.os }}
    services:
      postgres: { image: postgres:16-alpine, ports: ['5432:5432'] }
      cache:
        image: "redis:7"
    steps:
      - uses: actions/checkout@v4
      - uses: pnpm/action-setup@v4
      - uses: actions/setup-node@v4
        with:
          node-version: \${{ matrix.node }}
          cache: pnpm
      - uses: actions/cache@v4
        with: { path: ~/.cache/ms-playwright, key: pw }
      - run: pnpm install --frozen-lockfile
      - run: |
          pnpm exec playwright install --with-deps
          pnpm test -- --coverage
      - uses: codecov/codecov-action@v5
      - if: failure()
        uses: actions/upload-artifact@v4
`,
  },
  'GitHub: pinned commits, quotes, comments and odd spaces': {
    path: '.github/workflows/release.yaml',
    tools: `github-actions harden-runner action:actions/checkout action:actions/setup-go goreleaser cosign syft docker
      slsa-generator action:softprops/action-gh-release`,
    uses: {
      6: 'StepSecurity',
      8: 'GitHub',
      9: 'GitHub',
      10: 'Sigstore',
      11: 'Anchore',
      12: 'Docker',
      14: 'GoReleaser',
      15: 'softprops',
      19: 'OpenSSF',
    },
    content: `
on:
  release: { types: [published] }
jobs:
  build:
    steps:
      - uses: step-security/harden-runner@20cf305ff2072d973412fa9b1e3a4f227bda3c76 # v2.14.0
        with: { egress-policy: audit }
      - uses:   "actions/checkout@8f4b7f84864484a7bf31766abe9204da3cbe65b3"  # v5.0.0
      - 'uses': actions/setup-go@v5
      - uses: 'sigstore/cosign-installer@v3.10.0'
      - uses: anchore/sbom-action/download-syft@v0
      - uses: docker/setup-buildx-action@v3
      - name: uses nothing
        uses: goreleaser/goreleaser-action@v6
      - uses: softprops/action-gh-release@v2 # uses: somebody/else@v1
      # - uses: nobody/never@v1
      - run: 'echo "uses: actions/never@v1"'
  provenance:
    uses: slsa-framework/slsa-github-generator/.github/workflows/generator_generic_slsa3.yml@v2.1.0
`,
  },
  'GitHub: reusable workflows of here and elsewhere': {
    path: '.github/workflows/call.yml',
    tools: 'github-actions action:acme/pipelines super-linter zizmor',
    uses: { 6: 'acme', 9: 'Super-Linter', 12: 'zizmor' },
    content: `
on: workflow_dispatch
jobs:
  local:
    uses: ./.github/workflows/build.yml
  remote:
    uses: acme/pipelines/.github/workflows/deploy.yml@main
    secrets: inherit
  lint:
    uses: super-linter/super-linter/.github/workflows/x.yml@v8
  audit:
    steps:
      - uses: zizmorcore/zizmor-action@v0.2.0
      - uses: ./actions/own
`,
  },
  'GitHub: containers as steps': {
    path: '.github/workflows/containers.yml',
    tools: 'github-actions semgrep hadolint trivy image:registry.acme.example/acme/tools terraform',
    uses: { 6: 'Hadolint', 7: 'Aqua Security', 9: 'HashiCorp' },
    content: `
on: push
jobs:
  scan:
    container: { image: 'returntocorp/semgrep:1.90.0', options: --cpus 1 }
    steps:
      - uses: docker://hadolint/hadolint:v2.12.0
      - uses: docker://ghcr.io/aquasecurity/trivy:0.58.0
      - run: semgrep ci
      - uses: hashicorp/setup-terraform@v3
      - run: docker_login.sh
  own:
    container: registry.acme.example/acme/tools:3
    steps: []
`,
  },
  'GitHub: an action made of steps': {
    path: '.github/actions/setup/action.yml',
    tools: 'ruby bundler rubocop gradle action:actions/setup-java',
    uses: { 6: 'Ruby', 10: 'GitHub', 11: 'Gradle' },
    content: `
name: Set up
inputs: { ruby: { default: '3.3' } }
runs:
  using: composite
  steps:
    - uses: ruby/setup-ruby@v1
      with: { bundler-cache: true }
    - run: bundle exec rubocop
      shell: bash
    - uses: actions/setup-java@v4
    - uses: gradle/actions/setup-gradle@v4
    - run: print("docker")
      shell: python
`,
  },
  'GitHub: clouds and deployments': {
    path: '.github/workflows/deploy.yml',
    tools: `github-actions aws-cli docker gcloud azure-cli kubectl helm pulumi cloudflare sentry
      action:slackapi/slack-github-action action:appleboy/ssh-action action:peaceiris/actions-gh-pages`,
    uses: {
      5: 'Amazon Web Services',
      6: 'Amazon Web Services',
      7: 'Docker',
      8: 'Google',
      9: 'Microsoft',
      14: 'Pulumi',
      15: 'Cloudflare',
      16: 'Sentry',
      17: 'Slack',
      18: 'appleboy',
      19: 'peaceiris',
    },
    content: `
on: push
jobs:
  ship:
    steps:
      - uses: aws-actions/configure-aws-credentials@v4
      - uses: aws-actions/amazon-ecr-login@v2
      - uses: docker/build-push-action@v6
      - uses: google-github-actions/auth@v2
      - uses: Azure/login@v2
      - run: >
          kubectl config use-context prod &&
          helm upgrade --install app ./chart
          --set image.tag=\${{ github.sha }}
      - uses: pulumi/actions@v6
      - uses: cloudflare/wrangler-action@v3
      - uses: getsentry/action-release@v3
      - uses: slackapi/slack-github-action@v2
      - uses: appleboy/ssh-action@v1
      - uses: peaceiris/actions-gh-pages@v4
`,
  },
  'GitHub: assistants that review': {
    path: '.github/workflows/claude.yml',
    tools: 'github-actions action:actions/checkout claude-code openai-codex',
    uses: { 5: 'GitHub', 6: 'Anthropic', 9: 'OpenAI' },
    content: `
on: { issue_comment: { types: [created] } }
jobs:
  claude:
    steps:
      - uses: actions/checkout@v5
      - uses: anthropics/claude-code-action@v1
        with: { prompt: "Run npm test and docker build, then trivy." }
      - if: always()
        uses: openai/codex-action@v1
`,
  },
  'GitHub: scanners': {
    path: '.github/workflows/security.yml',
    tools: `github-actions codeql snyk checkmarx-one trivy gitleaks trufflehog scorecard dependency-review
      sonarqube semgrep checkov kics`,
    uses: {
      5: 'GitHub',
      6: 'GitHub',
      7: 'Snyk',
      8: 'Checkmarx',
      9: 'Aqua Security',
      10: 'Gitleaks',
      11: 'Truffle Security',
      12: 'OpenSSF',
      13: 'GitHub',
      14: 'SonarSource',
      15: 'Prisma Cloud',
      16: 'Checkmarx',
    },
    content: `
on: { schedule: [{ cron: '0 4 * * 1' }] }
jobs:
  scan:
    steps:
      - uses: github/codeql-action/init@v4
      - uses: github/codeql-action/analyze@v4
      - uses: snyk/actions/node@master
      - uses: checkmarx/ast-github-action@2.3.19
      - uses: aquasecurity/trivy-action@0.33.1
      - uses: gitleaks/gitleaks-action@v2
      - uses: trufflesecurity/trufflehog@main
      - uses: ossf/scorecard-action@v2.4.3
      - uses: actions/dependency-review-action@v4
      - uses: SonarSource/sonarqube-scan-action@v6
      - uses: bridgecrewio/checkov-action@v12
      - uses: Checkmarx/kics-github-action@v2.1.13
      - run: semgrep scan --config auto
`,
  },
  'GitLab: includes, extends, rules and references': {
    path: '.gitlab-ci.yml',
    tools: 'gitlab-ci gitlab-sast gitleaks trivy terraform python pip pytest ruff docker kubectl',
    content: `
include:
  - local: /ci/common.yml
  - project: acme/pipelines
    ref: main
    file: /deploy.yml
  - remote: https://example.org/ci/docker.yml
  - template: Jobs/SAST.gitlab-ci.yml
  - template: Jobs/Secret-Detection.gitlab-ci.yml
  - component: gitlab.com/components/container-scanning/container-scanning@5
stages: [test, deploy]
variables: { DOCKER_DRIVER: overlay2, NOTE: "npm ci" }
.python: &python
  image: python:3.13-slim
  before_script:
    - pip install -r requirements.txt ruff==0.14.0
test:
  <<: *python
  script:
    - !reference [.lint, script]
    - pytest -q --cov
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
plan:
  image: { name: 'hashicorp/terraform:1.13', entrypoint: [''] }
  script: terraform plan
deploy:
  image: docker:28
  services: ['docker:28-dind']
  script:
    - |
      docker push "$CI_REGISTRY_IMAGE"
      kubectl rollout restart deployment/app
`,
  },
  'Azure: stages, templates, loops and tasks': {
    path: 'azure-pipelines.yml',
    tools: 'azure-pipelines nodejs npm dotnet docker sonarqube azure-cli',
    content: `
trigger: [main]
resources:
  repositories:
    - repository: templates
      type: git
      name: acme/templates
extends:
  template: stages.yml@templates
stages:
  - stage: build
    jobs:
      - \${{ each version in parameters.versions }}:
          - job: v
            pool: { vmImage: 'ubuntu-24.04' }
            steps:
              - template: steps/restore.yml
              - task: NodeTool@0
              - task: DotNetCoreCLI@2
              - task: Docker@2
              - task: SonarQubePrepare@7
              - task: AzureCLI@2
                inputs: { scriptType: bash }
              - script: npm ci
              - pwsh: Write-Host "trivy"
`,
  },
  'CircleCI: orbs of others and of its own': {
    path: '.circleci/config.yml',
    tools: 'circleci nodejs aws-cli slack npm docker',
    content: `
version: 2.1
orbs:
  node: circleci/node@7.1.0
  aws-cli: circleci/aws-cli@5.4.0
  slack: circleci/slack@5.1.1
  own:
    commands:
      check:
        steps:
          - run: npm audit
executors:
  default: { docker: [{ image: 'cimg/node:22.11' }] }
jobs:
  build:
    executor: default
    steps:
      - checkout
      - setup_remote_docker
      - own/check
      - run:
          name: Run terraform later
          command: |
            npm ci
            docker build -t app .
workflows:
  all: { jobs: [build] }
`,
  },
  'Bitbucket: pipes, caches and parallel steps': {
    path: 'bitbucket-pipelines.yml',
    tools: `bitbucket-pipelines nodejs npm snyk sonarqube image:atlassian/aws-s3-deploy image:atlassian/slack-notify
      postgresql`,
    content: `
image: node:22
definitions:
  services:
    db: { image: 'postgres:17' }
  steps:
    - step: &test
        name: docker build in name only
        caches: [node, docker]
        script: [npm ci, npm test]
pipelines:
  default:
    - parallel:
        - step: *test
        - step:
            script:
              - pipe: snyk/snyk-scan:1.0.2
              - pipe: sonarsource/sonarqube-scan:4.0.0
  branches:
    main:
      - step:
          deployment: production
          script:
            - pipe: atlassian/aws-s3-deploy:2.0.0
              variables: { S3_BUCKET: terraform }
            - pipe: atlassian/slack-notify:2.3.0
`,
  },
  'Jenkins: shared libraries, scripted stages and tools': {
    path: 'Jenkinsfile',
    tools: 'jenkins maven docker trivy sonarqube helm nodejs',
    content: `
@Library(['acme-pipelines@main', 'docker-helpers']) _
import com.acme.Terraform
node('linux') {
  def image
  stage('Build') {
    checkout scm
    withMaven(maven: 'M3') { sh 'mvn -B -ntp verify' }
  }
  /* sh 'npm ci' */
  stage('Image') {
    image = docker.build("acme/app:\${env.BUILD_ID}")
    docker.image('aquasec/trivy:0.58.0').inside { sh label: 'scan', script: 'trivy fs .' }
    withSonarQubeEnv('main') { sh "mvn sonar:sonar" }
  }
  stage('Deploy') {
    acmeDeploy(chart: 'kubectl')
    sh """
      helm upgrade --install app chart
    """
  }
  nodejs('22') { echo 'yarn' }
}
`,
  },
};
