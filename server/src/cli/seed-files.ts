/** Files of a fictional shop that name its tools. */
export const demoFiles: Record<string, string> = {
  '.gitlab-ci.yml': `
include:
  - template: Security/SAST.gitlab-ci.yml
stages: [test, scan, ship]
test:
  stage: test
  image: node:24-alpine
  services: [postgres:17]
  script:
    - npm ci
    - npx vitest run
    - npx playwright test
scan:
  stage: scan
  image: aquasec/trivy:0.66.0
  script:
    - trivy fs --exit-code 1 .
    - semgrep ci
ship:
  stage: ship
  image: docker:28
  script:
    - docker build -t registry.example.org/storefront .
    - helm upgrade --install storefront ./chart
`,
  '.github/workflows/mirror.yml': `
name: Mirror
on: [push]
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
      - uses: github/codeql-action/init@v4
      - uses: github/codeql-action/analyze@v4
      - uses: codecov/codecov-action@v5
`,
  Dockerfile:
    'FROM node:24-alpine AS build\nRUN npm ci && npm run build\nFROM nginx:1.29\nCOPY --from=build /app /usr/share/nginx/html\n',
  'renovate.json': '{ "extends": ["config:recommended"] }\n',
  '.pre-commit-config.yaml': `
repos:
  - repo: https://github.com/gitleaks/gitleaks
    rev: v8.28.0
    hooks:
      - id: gitleaks
`,
  'AGENTS.md': '# How to work here\n',
  'sonar-project.properties': 'sonar.projectKey=storefront\n',
};
