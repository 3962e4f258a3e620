// Loads and activates the built editor extension once, in its own process, and prints the times. activation.ts starts
// it.
const Module = require('node:module');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

// Replaces the editor API with objects that accept every call and do nothing.
const nothing = () =>
  new Proxy(class {}, {
    get: (_, key) => (key === Symbol.toPrimitive ? () => '' : key === 'then' ? undefined : nothing()),
    apply: () => nothing(),
    construct: () => nothing(),
    set: () => true,
  });
const load = Module._load;
Module._load = (request, ...rest) => (request === 'vscode' ? nothing() : load(request, ...rest));

const folder = mkdtempSync(join(tmpdir(), 'sightline-activation-'));
const began = { at: performance.now(), cpu: process.cpuUsage() };
const extension = require(process.argv[2]);
const loaded = performance.now();
extension.activate({
  subscriptions: [],
  globalStorageUri: { fsPath: folder },
  extension: { packageJSON: { version: '1.0.0' } },
  secrets: { get: async () => undefined, onDidChange: () => ({ dispose: () => undefined }) },
});
const ended = performance.now();
const { user, system } = process.cpuUsage(began.cpu);
console.log(JSON.stringify({ loading: loaded - began.at, activating: ended - loaded, cpu: (user + system) / 1000 }));
rmSync(folder, { recursive: true, force: true });
process.exit(0);
